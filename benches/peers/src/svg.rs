//! The ratios as a picture: a panel a class, a bar a peer, on a scale in powers.

use std::fmt::Write as _;

use crate::contenders::{CLASSIFY, DOM, IGNORED, ON_DEMAND, RMCP, TOWER};
use crate::measure::Measured;

/// Who is drawn, from top to bottom.
const PEERS: [&str; 9] = [
    ON_DEMAND,
    DOM,
    "simd-json tape, copy",
    "sonic-rs typed",
    "jiter",
    IGNORED,
    "serde_json typed",
    RMCP,
    TOWER,
];

const COLUMNS: usize = 3;
const MARGIN: f64 = 24.0;
const TOP: f64 = 76.0;
const PANEL: [f64; 2] = [384.0, 222.0];
/// Where the bars are within a panel.
const LABELS: f64 = 148.0;
const BARS: f64 = 188.0;
const FIRST_BAR: f64 = 34.0;
const STEP: f64 = 17.0;
/// The ends of the scale, as ratios.
const ENDS: [f64; 2] = [0.03125, 128.0];
const TICKS: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

const STYLE: &str = "
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .title { font-size: 17px; font-weight: 600 }
  .class { font-size: 13px; font-weight: 600 }
  .small, .tick { fill: #57606a } .tick { font-size: 10px }
  .back { fill: #ffffff } .grid { stroke: #d0d7de } .one { stroke: #57606a }
  .faster { fill: #2f6fbb } .slower { fill: #c2570c }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .small, .tick { fill: #9da7b3 }
    .back { fill: #0d1117 } .grid { stroke: #30363d } .one { stroke: #9da7b3 }
    .faster { fill: #5b9dea } .slower { fill: #f0883e }
  }";

pub(crate) fn chart(measured: &[Measured]) -> String {
    let rows = measured.len().div_ceil(COLUMNS);
    let width = 2.0 * MARGIN + PANEL[0] * count(COLUMNS.min(measured.len()).max(2));
    let height = TOP + PANEL[1] * count(rows) + MARGIN / 2.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>Time of each peer divided by that of mcparse, by class of message</title>\n\
         <style>{STYLE}\n</style>\n<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"{MARGIN}\" y=\"34\">Time of each peer divided by that of {CLASSIFY}</text>\n\
         <text class=\"small\" x=\"{MARGIN}\" y=\"54\">To the right of 1 mcparse is faster. Logarithmic; what each peer validates differs, see the table.</text>\n"
    );
    for (at, measured) in measured.iter().enumerate() {
        let x = MARGIN + PANEL[0] * count(at % COLUMNS);
        let y = TOP + PANEL[1] * count(at / COLUMNS);
        let _ = writeln!(svg, "<g transform=\"translate({x} {y})\">");
        panel(&mut svg, measured);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

fn panel(svg: &mut String, measured: &Measured) {
    let bottom = FIRST_BAR + STEP * count(PEERS.len());
    let class = &measured.class;
    let _ = writeln!(svg, "<text class=\"class\" x=\"{LABELS}\" y=\"16\">{class}</text>");
    for tick in TICKS {
        let (x, y) = (place(tick), bottom + 12.0);
        let line = if (0.9..1.1).contains(&tick) { "one" } else { "grid" };
        let _ = writeln!(
            svg,
            "<line class=\"{line}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{bottom:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{tick}</text>",
            FIRST_BAR - 8.0
        );
    }
    let Some(ours) = measured.time(CLASSIFY) else { return };
    for (at, peer) in PEERS.iter().enumerate() {
        let Some(time) = measured.time(peer) else { continue };
        let ratio = time / ours;
        let (one, end, y) = (place(1.0), place(ratio), FIRST_BAR + STEP * count(at));
        let (left, width) = (one.min(end), (end - one).abs().max(1.0));
        let class = if ratio < 1.0 { "slower" } else { "faster" };
        let (label, label_y) = (LABELS - 8.0, y + 7.0);
        let _ = writeln!(
            svg,
            "<text x=\"{label}\" y=\"{label_y:.1}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{class}\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"12\" rx=\"1\"/>\
             <text class=\"small\" x=\"{:.1}\" y=\"{label_y:.1}\">{ratio:.*}</text>",
            peer.trim_end_matches(", padded")
                .trim_end_matches(", copy")
                .trim_end_matches(" inspection"),
            y - 3.0,
            one.max(end) + 5.0,
            if ratio < 10.0 { 2 } else { 0 },
        );
    }
}

/// Where a ratio lies in a panel, held within the scale.
fn place(ratio: f64) -> f64 {
    let [low, high] = ENDS.map(f64::log2);
    LABELS + BARS * (ratio.log2().clamp(low, high) - low) / (high - low)
}

fn count(number: usize) -> f64 {
    f64::from(u16::try_from(number).unwrap_or(u16::MAX))
}
