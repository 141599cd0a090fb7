//! One prompt, and the completion of its argument.

use std::collections::BTreeSet;

use mcparse::Method;
use mcparse::compose::{Value, member};
use serde::Deserialize;

use crate::answer::{Answer, FOR_EVERYBODY, Failure, kept, result};
use crate::call::{Call, Outcome};

const SUMMARISE: &str = "summarise_notebook";
const NOTEBOOK: &str = "notebook";
/// The most values of one completion, as the protocol has it.
const MOST_VALUES: usize = 100;

/// The answer to `prompts/list`.
pub(crate) fn list(call: Call<'_>) -> Answer {
    let argument = [
        member("name", NOTEBOOK),
        member("description", "The notebook to summarise"),
        member("required", true),
    ];
    let arguments = [Value::from(&argument)];
    let prompt = [
        member("name", SUMMARISE),
        member("title", "Summarise a notebook"),
        member("description", "Asks for a summary of all notes of a notebook"),
        member("arguments", &arguments),
    ];
    let prompts = [Value::from(&prompt)];
    kept(&call.request, FOR_EVERYBODY, &[member("prompts", &prompts)])
}

#[derive(Deserialize)]
struct Get {
    name: String,
    #[serde(default)]
    arguments: Arguments,
}

#[derive(Default, Deserialize)]
struct Arguments {
    notebook: Option<String>,
}

/// The answer to `prompts/get`.
pub(crate) fn get(call: Call<'_>) -> Outcome {
    let Get { name, arguments: Arguments { notebook } } = call.params()?;
    if name != SUMMARISE {
        return Err(Failure::params(format!("Unknown prompt: {name}")));
    }
    let notebook = notebook.ok_or_else(|| Failure::params("the argument notebook is missing"))?;
    let mut text = format!("Summarise these notes of the notebook \"{notebook}\":");
    for (_, note) in call.service.store().all(call.owner) {
        if note.notebook == notebook {
            text.extend(["\n\n# ", &note.title, "\n", &note.text]);
        }
    }
    let content = [member("type", "text"), member("text", &text)];
    let message = [member("role", "user"), member("content", &content)];
    let messages = [Value::from(&message)];
    let members = [member("messages", &messages)];
    Ok(Answer::Now(result(call.request.id().into(), Method::PromptsGet, &members)))
}

#[derive(Deserialize)]
struct Complete {
    #[serde(rename = "ref")]
    of: Reference,
    argument: Argument,
}

#[derive(Deserialize)]
struct Reference {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: String,
}

/// The answer to `completion/complete`: the owner's notebooks that begin so, and
/// nothing for what is not known.
pub(crate) fn complete(call: Call<'_>) -> Outcome {
    let Complete { of, argument } = call.params()?;
    let is_known = of.name.as_deref() == Some(SUMMARISE) && argument.name == NOTEBOOK;
    let notes = if is_known { call.service.store().all(call.owner) } else { Vec::new() };
    let notebooks: BTreeSet<&str> = notes
        .iter()
        .map(|(_, note)| note.notebook.as_str())
        .filter(|notebook| notebook.starts_with(&argument.value))
        .collect();
    let values: Vec<_> =
        notebooks.iter().take(MOST_VALUES).map(|&name| Value::from(name)).collect();
    let completion = [
        member("values", &*values),
        member("total", u64::try_from(notebooks.len()).unwrap_or(u64::MAX)),
        member("hasMore", notebooks.len() > values.len()),
    ];
    let members = [member("completion", &completion)];
    Ok(Answer::Now(result(call.request.id().into(), Method::CompletionComplete, &members)))
}
