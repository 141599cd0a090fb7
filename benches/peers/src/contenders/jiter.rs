//! jiter: its iterator, which reads the members of the envelope and skips the
//! rest, checking it.

use std::hint::black_box;
use std::mem;

use jiter::{Jiter, JiterResult, Peek};
use mcparse::Kind;

use crate::contender::Reader;
use crate::seen::{Fields, Json, Length, Seen};
use crate::support::classes::Case;

/// The buffer for texts with escapes is kept.
#[derive(Default)]
pub(crate) struct Members {
    buffer: Vec<u8>,
}

impl Members {
    fn read<const FIELDS: bool>(&mut self, message: &[u8]) -> JiterResult<Seen> {
        let mut jiter = Jiter::with_tape(message, mem::take(&mut self.buffer));
        let mut seen = Seen::default();
        envelope::<FIELDS>(&mut jiter, &mut seen)?;
        jiter.finish()?;
        self.buffer = jiter.into_tape();
        Ok(seen)
    }
}

impl Reader for Members {
    fn kind(&mut self, _at: usize, case: &Case) -> Option<Kind> {
        self.read::<false>(black_box(&case.message)).ok()?.kind()
    }

    fn fields(&mut self, _at: usize, case: &Case) -> Option<Fields> {
        self.read::<true>(black_box(&case.message)).ok()?.fields()
    }
}

/// A member of the envelope.
enum Member {
    Version,
    Id,
    Method,
    Params,
    Result,
    Error,
    Unknown,
}

fn member(name: &str) -> Member {
    match name {
        "jsonrpc" => Member::Version,
        "id" => Member::Id,
        "method" => Member::Method,
        "params" => Member::Params,
        "result" => Member::Result,
        "error" => Member::Error,
        _ => Member::Unknown,
    }
}

fn envelope<const FIELDS: bool>(jiter: &mut Jiter<'_>, seen: &mut Seen) -> JiterResult<()> {
    let mut name = jiter.next_object()?.map(member);
    while let Some(member) = name {
        match member {
            Member::Version => {
                let peek = jiter.peek()?;
                if peek == Peek::String {
                    seen.version = jiter.known_str()? == "2.0";
                } else {
                    jiter.known_skip(peek)?;
                }
            }
            Member::Id => seen.id = value(jiter, &mut seen.id_number, &mut seen.id_text)?,
            Member::Method => seen.method = value(jiter, &mut 0, &mut seen.method_text)?,
            Member::Params if FIELDS => {
                seen.params = object(jiter, |name, jiter| match name {
                    Inside::Name => value(jiter, &mut 0, &mut seen.name_text).map(drop),
                    Inside::Meta => meta(jiter, &mut seen.revision_text),
                    _ => jiter.next_skip(),
                })?;
            }
            Member::Params => seen.params = skipped(jiter)?,
            Member::Result => seen.result = skipped(jiter)?,
            Member::Error => {
                seen.error = object(jiter, |name, jiter| {
                    match name {
                        Inside::Code => {
                            seen.code =
                                value(jiter, &mut seen.code_number, &mut Length::default())?;
                        }
                        Inside::Message => {
                            seen.message = value(jiter, &mut 0, &mut Length::default())?;
                        }
                        _ => jiter.next_skip()?,
                    }
                    Ok(())
                })?;
            }
            Member::Unknown => jiter.next_skip()?,
        }
        name = jiter.next_key()?.map(self::member);
    }
    Ok(())
}

/// A member of the params, of `_meta` or of an error.
#[derive(Clone, Copy)]
enum Inside {
    Name,
    Meta,
    Revision,
    Code,
    Message,
    Unknown,
}

fn inside(name: &str) -> Inside {
    match name {
        "name" => Inside::Name,
        "_meta" => Inside::Meta,
        "io.modelcontextprotocol/protocolVersion" => Inside::Revision,
        "code" => Inside::Code,
        "message" => Inside::Message,
        _ => Inside::Unknown,
    }
}

fn meta(jiter: &mut Jiter<'_>, revision: &mut Length) -> JiterResult<()> {
    let each = |name, jiter: &mut Jiter<'_>| match name {
        Inside::Revision => value(jiter, &mut 0, revision).map(drop),
        _ => jiter.next_skip(),
    };
    object(jiter, each).map(drop)
}

/// Goes over the members of an object; anything else is skipped.
fn object<'j>(
    jiter: &mut Jiter<'j>,
    mut each: impl FnMut(Inside, &mut Jiter<'j>) -> JiterResult<()>,
) -> JiterResult<Json> {
    if jiter.peek()? != Peek::Object {
        return skipped(jiter);
    }
    let mut name = jiter.known_object()?.map(inside);
    while let Some(member) = name {
        each(member, jiter)?;
        name = jiter.next_key()?.map(inside);
    }
    Ok(Json::Object)
}

/// Skips a value and says what it was, an integer only if it is looked for.
fn skipped(jiter: &mut Jiter<'_>) -> JiterResult<Json> {
    let peek = jiter.peek()?;
    jiter.known_skip(peek)?;
    Ok(match peek {
        Peek::Null => Json::Null,
        Peek::String => Json::Text,
        Peek::Object => Json::Object,
        _ => Json::Other,
    })
}

/// Reads a text or a number; anything else is skipped.
fn value(jiter: &mut Jiter<'_>, number: &mut i64, text: &mut Length) -> JiterResult<Json> {
    let peek = jiter.peek()?;
    if peek == Peek::String {
        *text = Length::of(jiter.known_str()?);
        return Ok(Json::Text);
    }
    if !peek.is_num() {
        return skipped(jiter);
    }
    let lexeme = jiter.known_number_bytes(peek)?;
    let digits = lexeme.strip_prefix(b"-").unwrap_or(lexeme);
    if !digits.iter().all(u8::is_ascii_digit) {
        return Ok(Json::Other);
    }
    *number = str::from_utf8(lexeme).ok().and_then(|it| it.parse().ok()).unwrap_or_default();
    Ok(Json::Integer)
}
