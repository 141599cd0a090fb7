// simdjson as a reader of MCP envelopes, behind functions that Rust can call:
// DOM, which checks the whole text, and On-Demand, which reads the members of
// the envelope and skips the rest. Both say what the members are; the truth
// table over them is on the other side, the same for all peers.

#include <string_view>

#include "simdjson.h"

using namespace simdjson;

namespace {

// As `Json` in src/seen.rs.
enum Json : uint8_t { ABSENT, NIL, INTEGER, TEXT, OBJECT, OTHER };

// As `Seen` in src/seen.rs.
struct Seen {
  uint8_t version, id, method, params, result, error, code, message;
  int64_t id_number, code_number;
  // One more than the length in bytes; 0 if there is none.
  uint64_t id_text, method_text, name_text, revision_text;
};

constexpr std::string_view REVISION = "io.modelcontextprotocol/protocolVersion";

struct Dom {
  dom::parser parser;
};

Json type(dom::element value) {
  switch (value.type()) {
  case dom::element_type::NULL_VALUE: return NIL;
  case dom::element_type::INT64:
  case dom::element_type::UINT64: return INTEGER;
  case dom::element_type::STRING: return TEXT;
  case dom::element_type::OBJECT: return OBJECT;
  default: return OTHER;
  }
}

uint64_t text(dom::element value) {
  std::string_view text;
  return value.get_string().get(text) ? 0 : text.size() + 1;
}

int64_t number(dom::element value) {
  int64_t number;
  return value.get_int64().get(number) ? 0 : number;
}

template <bool FIELDS> void params(dom::element params, Seen &seen) {
  if constexpr (FIELDS) {
    dom::object object;
    if (params.get_object().get(object)) return;
    for (dom::key_value_pair field : object) {
      if (field.key == "name") {
        seen.name_text = text(field.value);
      } else if (field.key == "_meta") {
        dom::object meta;
        if (field.value.get_object().get(meta)) continue;
        for (dom::key_value_pair entry : meta) {
          if (entry.key == REVISION) seen.revision_text = text(entry.value);
        }
      }
    }
  }
}

template <bool FIELDS> void error(dom::element error, Seen &seen) {
  dom::object object;
  if (error.get_object().get(object)) return;
  for (dom::key_value_pair field : object) {
    if (field.key == "code") {
      seen.code = type(field.value);
      if constexpr (FIELDS) seen.code_number = number(field.value);
    } else if (field.key == "message") {
      seen.message = type(field.value);
    }
  }
}

template <bool FIELDS>
bool read(Dom &dom, const uint8_t *bytes, size_t length, Seen &seen) {
  dom::element root;
  if (dom.parser.parse(bytes, length, false).get(root)) return false;
  dom::object object;
  if (root.get_object().get(object)) return false;
  for (dom::key_value_pair field : object) {
    if (field.key == "jsonrpc") {
      std::string_view version;
      seen.version = !field.value.get_string().get(version) && version == "2.0";
    } else if (field.key == "id") {
      seen.id = type(field.value);
      if constexpr (FIELDS) {
        seen.id_text = text(field.value);
        seen.id_number = number(field.value);
      }
    } else if (field.key == "method") {
      seen.method = type(field.value);
      if constexpr (FIELDS) seen.method_text = text(field.value);
    } else if (field.key == "params") {
      seen.params = type(field.value);
      params<FIELDS>(field.value, seen);
    } else if (field.key == "result") {
      seen.result = type(field.value);
    } else if (field.key == "error") {
      seen.error = type(field.value);
      error<FIELDS>(field.value, seen);
    }
  }
  return true;
}

struct OnDemand {
  ondemand::parser parser;
};

// The type by the first byte, as On-Demand has it; a number is looked at. Or OTHER.
Json type(ondemand::value value) {
  ondemand::json_type type;
  if (value.type().get(type)) return OTHER;
  switch (type) {
  case ondemand::json_type::null: return NIL;
  case ondemand::json_type::string: return TEXT;
  case ondemand::json_type::object: return OBJECT;
  case ondemand::json_type::number: return value.is_integer() ? INTEGER : OTHER;
  default: return OTHER;
  }
}

// Reads a text, checking its escapes. False if it is none, or a broken one.
bool text(ondemand::value value, uint64_t &into) {
  std::string_view text;
  if (value.get_string().get(text)) return false;
  into = text.size() + 1;
  return true;
}

bool params_fields(ondemand::value params, Seen &seen) {
  ondemand::object object;
  if (params.get_object().get(object)) return false;
  for (auto each : object) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    std::string_view key = field.escaped_key();
    if (key == "name" && type(field.value()) == TEXT) {
      if (!text(field.value(), seen.name_text)) return false;
    } else if (key == "_meta" && type(field.value()) == OBJECT) {
      ondemand::object meta;
      if (field.value().get_object().get(meta)) return false;
      for (auto inner : meta) {
        ondemand::field entry;
        if (std::move(inner).get(entry)) return false;
        std::string_view name = entry.escaped_key();
        if (name == REVISION && type(entry.value()) == TEXT &&
            !text(entry.value(), seen.revision_text)) return false;
      }
    }
  }
  return true;
}

template <bool FIELDS> bool error_fields(ondemand::value error, Seen &seen) {
  ondemand::object object;
  if (error.get_object().get(object)) return false;
  for (auto each : object) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    std::string_view key = field.escaped_key();
    if (key == "code") {
      seen.code = type(field.value());
      if (FIELDS && seen.code == INTEGER &&
          field.value().get_int64().get(seen.code_number)) return false;
    } else if (key == "message") {
      seen.message = type(field.value());
    }
  }
  return true;
}

template <bool FIELDS> bool member(ondemand::field &field, Seen &seen) {
  std::string_view key = field.escaped_key();
  ondemand::value value = field.value();
  if (key == "jsonrpc") {
    std::string_view version;
    seen.version = !value.get_string().get(version) && version == "2.0";
  } else if (key == "id") {
    seen.id = type(value);
    if constexpr (FIELDS) {
      if (seen.id == TEXT) return text(value, seen.id_text);
      if (seen.id == INTEGER) return !value.get_int64().get(seen.id_number);
    }
  } else if (key == "method") {
    seen.method = type(value);
    if constexpr (FIELDS) return seen.method != TEXT || text(value, seen.method_text);
  } else if (key == "params") {
    seen.params = type(value);
    if constexpr (FIELDS) return seen.params != OBJECT || params_fields(value, seen);
  } else if (key == "result") {
    seen.result = type(value);
  } else if (key == "error") {
    seen.error = type(value);
    return seen.error != OBJECT || error_fields<FIELDS>(value, seen);
  }
  return true;
}

template <bool FIELDS>
bool read(OnDemand &on_demand, const uint8_t *bytes, size_t length, Seen &seen) {
  ondemand::document document;
  if (on_demand.parser.iterate(bytes, length, length + SIMDJSON_PADDING).get(document)) return false;
  ondemand::object object;
  if (document.get_object().get(object)) return false;
  for (auto each : object) {
    ondemand::field field;
    if (std::move(each).get(field)) return false;
    if (!member<FIELDS>(field, seen)) return false;
  }
  return document.at_end();
}

} // namespace

// Each `read` wants `SIMDJSON_PADDING` bytes behind `length` that can be read.
extern "C" {

const char *peers_simdjson_version() { return SIMDJSON_VERSION; }
// The vector code in use, of DOM and of On-Demand. The second is static, as the name is.
const char *peers_simdjson_dom_code() {
  static const std::string name = get_active_implementation()->name();
  return name.c_str();
}
const char *peers_simdjson_on_demand_code() {
  static const std::string name = builtin_implementation()->name();
  return name.c_str();
}
size_t peers_simdjson_padding() { return SIMDJSON_PADDING; }
size_t peers_simdjson_seen() { return sizeof(Seen); }

Dom *peers_dom_new() { return new Dom; }
void peers_dom_free(Dom *dom) { delete dom; }
bool peers_dom_kind(Dom *dom, const uint8_t *bytes, size_t length, Seen *seen) {
  return read<false>(*dom, bytes, length, *seen);
}
bool peers_dom_fields(Dom *dom, const uint8_t *bytes, size_t length, Seen *seen) {
  return read<true>(*dom, bytes, length, *seen);
}

OnDemand *peers_on_demand_new() { return new OnDemand; }
void peers_on_demand_free(OnDemand *on_demand) { delete on_demand; }
bool peers_on_demand_kind(OnDemand *on_demand, const uint8_t *bytes, size_t length, Seen *seen) {
  return read<false>(*on_demand, bytes, length, *seen);
}
bool peers_on_demand_fields(OnDemand *on_demand, const uint8_t *bytes, size_t length, Seen *seen) {
  return read<true>(*on_demand, bytes, length, *seen);
}
}
