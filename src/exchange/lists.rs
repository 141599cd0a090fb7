//! The pages of lists that were answered lately: in what order the tools were,
//! and for whom the pages may be cached.
//!
//! A page is known by its request: the method and the cursor. The page before it
//! says what `cacheScope` it should have, by giving out that cursor, and so does
//! the last answer to the same request: who stores what is `public` serves it to
//! those for whom it is `private`.

use super::limits::ExchangeLimits;
use super::read::{Object, Value};
use super::side::Waiting;
use super::table::Table;
use crate::method::Method;
use crate::rule::{Rule, RuleSet};
use crate::summary::fingerprint;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Public,
    Private,
}

/// The names of some tools: as a set, and in their order.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Names {
    set: u64,
    order: u64,
}

/// A page, as it was answered last or as the page before it has it.
#[derive(Clone, Copy, Default)]
struct Page {
    /// Of the pages before it.
    expected: Option<Scope>,
    scope: Option<Scope>,
    names: Option<Names>,
}

pub(super) struct Lists {
    pages: Table<Page>,
}

impl Lists {
    pub(super) const fn new(limits: &ExchangeLimits) -> Self {
        Self { pages: Table::new(limits.pages) }
    }

    pub(super) fn clear(&mut self) {
        self.pages.clear();
    }

    /// Hears the result of a request that may be one for a page.
    pub(super) fn hear(&mut self, request: &Waiting, result: Object<'_>) -> RuleSet {
        let mut rules = RuleSet::EMPTY;
        let method = request.summary.method();
        if !request.is_modern || !method.is_some_and(is_list) {
            return rules;
        }
        let (mut given, mut next, mut names) = (None, None, None);
        for (name, value) in result.members() {
            if name == *"cacheScope" {
                given = read_scope(value);
            } else if name == *"nextCursor" {
                next = Some(value);
            } else if name == *"tools" && method == Some(Method::ToolsList) {
                names = Some(read_names(value));
            }
        }
        let known = self.pages.find(request.page).map_or(Page::default(), |(_, page)| *page);
        let is_other = |known: Option<Scope>| known.is_some() && given.is_some() && known != given;
        let varies = is_other(known.expected) || is_other(known.scope);
        rules.note(Rule::CacheScopeVaries, varies);
        let is_reordered = known
            .names
            .zip(names)
            .is_some_and(|(before, now)| before.set == now.set && before.order != now.order);
        rules.note(Rule::ListOrderChanged, is_reordered);

        let (scope, names) = (given.or(known.scope), names.or(known.names));
        self.pages.replace(request.page, Page { scope, names, ..known });
        if let Some(next) = next {
            let key = page(request.call, Some(next));
            let page = self.pages.find(key).map_or(Page::default(), |(_, page)| *page);
            // Of pages that differ the first one counts.
            let expected = known.expected.or(given);
            self.pages.replace(key, Page { expected, ..page });
        }
        rules
    }
}

const fn is_list(method: Method) -> bool {
    matches!(
        method,
        Method::ToolsList
            | Method::PromptsList
            | Method::ResourcesList
            | Method::ResourcesTemplatesList
    )
}

/// The fingerprint of the request for a page, where that of the method is
/// `call`.
pub(super) fn page(call: u64, cursor: Option<Value<'_>>) -> u64 {
    fingerprint((call, cursor.map(Value::fingerprint)))
}

fn read_scope(value: Value<'_>) -> Option<Scope> {
    let scope = value.text()?;
    if scope == *"public" {
        Some(Scope::Public)
    } else if scope == *"private" {
        Some(Scope::Private)
    } else {
        None
    }
}

fn read_names(tools: Value<'_>) -> Names {
    let names = tools.elements().map(|tool| tool.object().get("name").map(Value::fingerprint));
    names.fold(Names::default(), |Names { set, order }, name| Names {
        set: set.wrapping_add(fingerprint(name)),
        order: fingerprint((order, name)),
    })
}
