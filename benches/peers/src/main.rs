//! mcparse beside its peers, all in one process. See README.md.
//!
//! ```text
//! cargo run --release              everything
//! cargo run --release -- tiny      the classes whose name holds `tiny`
//!     --quick                      fewer rounds
//!     --svg FILE                   draws the ratios, too
//!     --test                       every contender once, with all assertions
//! ```

mod about;
mod contender;
mod contenders;
mod measure;
mod probes;
mod seen;
mod stream;
#[path = "../../support/mod.rs"]
#[allow(dead_code, reason = "the crate's own benchmarks use more of it")]
mod support;
mod svg;
mod table;
mod targets;

use std::fs;
use std::process::ExitCode;

use measure::{Effort, Measured};
use support::classes::{self, Class};

#[derive(Default)]
struct Arguments {
    test: bool,
    quick: bool,
    svg: Option<String>,
    wanted: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::FAILURE;
        }
    };
    let is_wanted = |class: &Class| {
        let parts = &arguments.wanted;
        class.verdict == "accept"
            && (parts.is_empty() || parts.iter().any(|part| class.name.contains(part)))
    };
    let classes: Vec<Class> = classes::all().into_iter().filter(is_wanted).collect();
    if arguments.test {
        test(&classes);
        return ExitCode::SUCCESS;
    }
    report(&classes, &arguments)
}

fn arguments(mut given: impl Iterator<Item = String>) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    while let Some(argument) = given.next() {
        match &*argument {
            "--test" => arguments.test = true,
            "--quick" => arguments.quick = true,
            "--svg" => arguments.svg = Some(given.next().ok_or("--svg wants a file")?),
            option if option.starts_with('-') => return Err(format!("unknown option: {option}")),
            _ => arguments.wanted.push(argument),
        }
    }
    Ok(arguments)
}

/// Every contender once; panics where one does not do what it declares.
fn test(classes: &[Class]) {
    let mut count = 0;
    for class in classes {
        count += measure::prove(class);
        println!("{}: all accepted, alike at each level", class.name);
    }
    println!("{count} contenders and classes; what each validates:\n\n{}", probes::table());
    stream::prove();
    println!("versions:\n\n{}", about::table());
}

fn report(classes: &[Class], arguments: &Arguments) -> ExitCode {
    let effort = if arguments.quick { Effort::QUICK } else { Effort::FULL };
    println!("{}", about::table());
    let measured: Vec<Measured> =
        classes.iter().map(|class| measure::measure(class, &effort)).collect();
    println!("{}", table::kinds(&measured));
    println!("{}", table::fields(&measured));
    println!("{}", table::spread(&measured));
    println!("{}", probes::table());
    let rates = arguments.wanted.is_empty().then(|| stream::measure(&effort));
    if let Some(rates) = &rates {
        println!("{}", rates.table());
    }
    println!("{}", targets::table(&measured, rates.as_ref()));
    let Some(file) = &arguments.svg else { return ExitCode::SUCCESS };
    match fs::write(file, svg::chart(&measured)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::FAILURE
        }
    }
}
