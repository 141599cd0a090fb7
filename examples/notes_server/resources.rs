//! Notes as resources: `note:///welcome`, which is there for everybody, and each
//! note of the owner's by its handle.

use mcparse::compose::{Member, Value, member};

use crate::answer::{Answer, FOR_EVERYBODY, FOR_OWNER, Failure, kept};
use crate::call::{Call, Outcome};
use crate::store::{Handle, Refused};

const WELCOME: &str = "note:///welcome";
const WELCOME_TEXT: &str =
    "Notes are created with the tool create_note and read by the handle that it gives.";
const PREFIX: &str = "note:///";
const TEXT: &str = "text/plain";

/// The answer to `resources/list`.
pub(crate) fn list(call: Call<'_>) -> Answer {
    let welcome = [
        member("uri", WELCOME),
        member("name", "welcome"),
        member("title", "Welcome"),
        member("mimeType", TEXT),
    ];
    let notes: Vec<_> = call.service.store().all(call.owner);
    let notes: Vec<_> = notes
        .iter()
        .map(|(Handle(handle), note)| (format!("{PREFIX}{handle}"), handle, note))
        .collect();
    let described: Vec<[Member<'_>; 4]> = notes
        .iter()
        .map(|(uri, handle, note)| {
            let title = member("title", &note.title);
            [member("uri", uri), member("name", *handle), title, member("mimeType", TEXT)]
        })
        .collect();
    let mut resources = vec![Value::from(&welcome)];
    resources.extend(described.iter().map(Value::from));
    kept(&call.request, FOR_OWNER, &[member("resources", &*resources)])
}

/// The answer to `resources/templates/list`.
pub(crate) fn list_templates(call: Call<'_>) -> Answer {
    let note = [
        member("uriTemplate", "note:///{note}"),
        member("name", "note"),
        member("title", "A note by its handle"),
        member("mimeType", TEXT),
    ];
    let templates = [Value::from(&note)];
    kept(&call.request, FOR_EVERYBODY, &[member("resourceTemplates", &templates)])
}

/// The answer to `resources/read`.
pub(crate) fn read(call: Call<'_>) -> Outcome {
    let uri = call.request.name().ok_or_else(|| Failure::params("a resource has a uri"))?.decode();
    let contents = |text| [member("uri", &*uri), member("mimeType", TEXT), member("text", text)];
    if uri == WELCOME {
        let contents = contents(WELCOME_TEXT);
        let all = [Value::from(&contents)];
        return Ok(kept(&call.request, FOR_EVERYBODY, &[member("contents", &all)]));
    }
    let note = match uri.strip_prefix(PREFIX) {
        Some(handle) => call.service.store().read(call.owner, &Handle(handle.to_owned())),
        None => Err(Refused::NoSuchNote),
    };
    let note = note.map_err(|_| Failure::no_resource(&uri))?;
    let contents = contents(&note.text);
    let all = [Value::from(&contents)];
    Ok(kept(&call.request, FOR_OWNER, &[member("contents", &all)]))
}
