//! What the client shows: a line for each message, and what is to be said of it.

use mcparse::{Message, Violation};

/// Shows a message that is sent.
pub(crate) fn sent(message: &[u8]) {
    println!("-> {}", one_line(message));
}

/// Shows a message that was received and judged, and what the judge only reported.
pub(crate) fn received(message: &Message<'_>) {
    println!("<- {}", one_line(message.bytes()));
    for rule in message.findings() {
        println!("   finding: {rule}");
    }
}

/// Shows why a message was refused.
pub(crate) fn refused(violation: &Violation<'_>) {
    println!("<- refused: {violation}");
}

/// Says something beside the messages.
pub(crate) fn say(what: &str) {
    println!("   {what}");
}

/// The text of a peer, so that it cannot play with the terminal.
fn one_line(message: &[u8]) -> String {
    let text = String::from_utf8_lossy(message);
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
