//! A set of inputs through all readers, and the counts.

use crate::classes::{ALL, Class, Peer};
use crate::input::Input;
use crate::judges;
use crate::verdict::{Ours, Theirs};

/// One input and what each reader says of it.
pub(crate) struct Row {
    pub(crate) input: Input,
    pub(crate) ours: Ours,
    pub(crate) rmcp: Said,
    pub(crate) tower: Said,
}

/// What a peer says, and why we differ from it, if we do.
pub(crate) struct Said {
    pub(crate) theirs: Theirs,
    pub(crate) class: Option<&'static Class>,
}

impl Row {
    pub(crate) fn is_agreed(&self) -> bool {
        self.rmcp.class.is_none() && self.tower.class.is_none()
    }
}

/// Judges every input.
///
/// # Errors
///
/// The differences that no class explains, one a line.
pub(crate) fn rows(inputs: Vec<Input>) -> Result<Vec<Row>, String> {
    let mut unexplained = Vec::new();
    let mut said = |peer: Peer, name: &str, ours: &Ours, theirs: Theirs| {
        let mut class = None;
        if !ours.agrees(&theirs) {
            class = Class::of(peer, ours, &theirs);
            if class.is_none() {
                unexplained.push(format!("{name}: {ours}, but {peer:?} says {theirs}"));
            }
        }
        Said { theirs, class }
    };
    let rows = inputs.into_iter().map(|input| {
        let ours = judges::ours(&input);
        let rmcp = said(Peer::Rmcp, &input.name, &ours, judges::rmcp(&input));
        let tower = said(Peer::Tower, &input.name, &ours, judges::tower(&input));
        Row { input, ours, rmcp, tower }
    });
    let rows = rows.collect();
    if unexplained.is_empty() {
        Ok(rows)
    } else {
        Err(format!("differences without an explanation:\n{}", unexplained.join("\n")))
    }
}

/// How many inputs there are, and in how many of them a peer agrees.
pub(crate) struct Counts {
    pub(crate) inputs: usize,
    pub(crate) rmcp: usize,
    pub(crate) tower: usize,
    pub(crate) all: usize,
}

impl Counts {
    pub(crate) fn of(rows: &[Row]) -> Self {
        let agreed = |is: fn(&Row) -> bool| rows.iter().filter(|row| is(row)).count();
        Self {
            inputs: rows.len(),
            rmcp: agreed(|row| row.rmcp.class.is_none()),
            tower: agreed(|row| row.tower.class.is_none()),
            all: agreed(Row::is_agreed),
        }
    }
}

/// In how many rows a class explains the difference from rmcp, and from
/// tower-mcp-types.
pub(crate) fn explained(rows: &[Row], class: &Class) -> (usize, usize) {
    let is = |said: &Said| said.class.is_some_and(|of| of.name == class.name);
    let count = |by: fn(&Row) -> &Said| rows.iter().filter(|row| is(by(row))).count();
    (count(|row| &row.rmcp), count(|row| &row.tower))
}

/// The classes that explain no row: they would say what nothing shows.
pub(crate) fn unused(rows: &[Row]) -> Vec<&'static str> {
    let classes = ALL.iter().filter(|class| explained(rows, class) == (0, 0));
    classes.map(|class| class.name).collect()
}
