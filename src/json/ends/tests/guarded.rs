//! Messages that end or begin where the readable memory does: a kernel that read a
//! byte beyond would crash.

use super::*;
use crate::json::kernel::guard::Guarded;

#[test]
fn no_kernel_reads_behind_the_end_of_a_message() {
    hold_guarded(&mut Draw(6), |guarded, text| guarded.at_end(text));
}

#[test]
fn no_kernel_reads_before_the_start_of_a_message() {
    hold_guarded(&mut Draw(7), |guarded, text| guarded.at_start(text));
}

#[test]
fn no_kernel_reads_behind_the_bytes_that_have_come() {
    let mut guarded = Guarded::new(1000);
    let mut draw = Draw(8);
    for len in (0..301).step_by(stride()) {
        let text = draw.text(len);
        let model = Model::of(&text);
        for kernel in Kernel::all() {
            // Each time all that has come ends where the memory does.
            let mut ends = Ends::new(kernel);
            ends.restart(false);
            let mut found = Vec::new();
            let mut cut = 0;
            while cut < len {
                drain(&mut ends, guarded.at_end(&text[..cut]), &mut found);
                ends.resume(found.last().map_or(0, |last| last + 1));
                cut += 1 + draw.below(40);
            }
            let message = guarded.at_end(&text);
            drain(&mut ends, message, &mut found);
            let found = Found::by(&mut ends, message, found);
            agree(&found, message, &model, format_args!("{kernel:?}, at the end of memory"));
        }
    }
}

fn hold_guarded(draw: &mut Draw, place: impl for<'g> Fn(&'g mut Guarded, &[u8]) -> &'g [u8]) {
    let mut guarded = Guarded::new(1000);
    for len in (0..301).step_by(stride()) {
        for text in [draw.text(len), draw.text(len), draw.noise(len), vec![b' '; len].into()] {
            let message = place(&mut guarded, &text);
            let model = hold_whole(message);
            let cuts = [draw.below(len + 1), len];
            hold_streamed(message, &model, &cuts, draw);
        }
    }
}
