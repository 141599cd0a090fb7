//! The tools that are done at once: creating, reading and searching notes.

use mcparse::compose::{RawJson, member};
use serde::Deserialize;
use serde_json::json;

use crate::answer::{Answer, Failure, of_tool, tool_failed};
use crate::call::{Call, Outcome};
use crate::registry::Tool;
use crate::store::{Handle, Note};

/// Keeps a note and gives its handle.
pub(crate) const CREATE_NOTE: Tool = Tool {
    name: "create_note",
    title: "Create a note",
    description: "Keeps a note and gives the handle by which it is read and deleted.",
    input: r#"{"type":"object","properties":{
        "title":{"type":"string","description":"At most 200 bytes"},
        "text":{"type":"string","description":"At most 64 KiB"},
        "notebook":{"type":"string","description":"Where it is sorted in","default":"inbox"}},
        "required":["title","text"]}"#,
    output: Some(
        r#"{"type":"object","properties":{"note":{"type":"string"}},"required":["note"]}"#,
    ),
    run: create,
};

/// Gives a note.
pub(crate) const READ_NOTE: Tool = Tool {
    name: "read_note",
    title: "Read a note",
    description: "Gives the title, the notebook and the text of a note.",
    input: r#"{"type":"object","properties":{
        "note":{"type":"string","description":"The handle"}},"required":["note"]}"#,
    output: Some(
        r#"{"type":"object","properties":{"title":{"type":"string"},"notebook":{"type":"string"},
        "text":{"type":"string"}},"required":["title","notebook","text"]}"#,
    ),
    run: read,
};

/// Finds notes. Over HTTP the notebook stands in the header `Mcp-Param-Notebook`
/// as well, so that a gateway may route by it.
pub(crate) const SEARCH_NOTES: Tool = Tool {
    name: "search_notes",
    title: "Search notes",
    description: "Finds the notes whose title or text has some words, the oldest first.",
    input: r#"{"type":"object","properties":{
        "words":{"type":"string","description":"What to look for"},
        "notebook":{"type":"string","description":"Looks in this notebook only",
            "x-mcp-header":"Notebook"}},
        "required":["words"]}"#,
    output: Some(
        r#"{"type":"object","properties":{"notes":{"type":"array","items":{"type":"object",
        "properties":{"note":{"type":"string"},"title":{"type":"string"}},
        "required":["note","title"]}}},"required":["notes"]}"#,
    ),
    run: search,
};

/// The arguments of a tool that is called on one note.
#[derive(Deserialize)]
pub(crate) struct OnNote {
    note: String,
}

impl OnNote {
    /// The note that is meant; whether it is there and whose it is, the store says.
    pub(crate) fn handle(self) -> Handle {
        Handle(self.note)
    }
}

fn create(call: Call<'_>) -> Outcome {
    call.with_arguments(|note: Note| {
        let created = call.service.store().create(call.owner, note);
        match created {
            Ok(Handle(handle)) => structured(call, &json!({ "note": handle })),
            Err(refused) => Ok(tool_failed(&call.request, &refused.to_string())),
        }
    })
}

fn read(call: Call<'_>) -> Outcome {
    call.with_arguments(|on: OnNote| {
        let read = call.service.store().read(call.owner, &on.handle());
        match read {
            Ok(note) => {
                let Note { title, notebook, text } = &*note;
                structured(call, &json!({ "title": title, "notebook": notebook, "text": text }))
            }
            Err(refused) => Ok(tool_failed(&call.request, &refused.to_string())),
        }
    })
}

#[derive(Deserialize)]
struct Search {
    words: String,
    notebook: Option<String>,
}

fn search(call: Call<'_>) -> Outcome {
    call.with_arguments(|Search { words, notebook }: Search| {
        let is_found = |note: &Note| {
            notebook.as_ref().is_none_or(|notebook| note.notebook == *notebook)
                && (note.title.contains(&words) || note.text.contains(&words))
        };
        let all = call.service.store().all(call.owner);
        let found: Vec<_> = all
            .iter()
            .filter(|(_, note)| is_found(note))
            .map(|(Handle(handle), note)| json!({ "note": handle, "title": note.title }))
            .collect();
        structured(call, &json!({ "notes": found }))
    })
}

/// A structured result, and the same as text for clients that know text alone.
fn structured(call: Call<'_>, content: &serde_json::Value) -> Outcome {
    let text = content.to_string();
    let content = RawJson::new(&text).map_err(|_| Failure::internal())?;
    let others = [member("structuredContent", content)];
    Ok(Answer::Now(of_tool(call.request.id().into(), &text, &others)))
}
