//! Bytes that are no message, and make a reader that is not careful hold or do the
//! most: for the tests that bound memory, and the bench that shows the time.

pub(crate) const MIB: usize = 1 << 20;

/// `piece` again and again, `bytes` bytes in all.
pub(crate) fn repeated(piece: &[u8], bytes: usize) -> Vec<u8> {
    piece.iter().copied().cycle().take(bytes).collect()
}

/// None of them is JSON, each for another reason, and each has a name.
pub(crate) fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let mut state = 1_u64;
    let random = std::iter::repeat_with(|| {
        // xorshift64
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_be_bytes()[2]
    });
    // As much as a message may have, with room for what stands before it.
    let random: Vec<u8> = random.take(4 * MIB - 64).collect();
    let brackets = repeated(b"[", MIB);
    let zeros = repeated(b"0,", MIB);
    let inside = |bytes: &[u8]| [&br#"{"jsonrpc":"2.0","params":"#[..], bytes].concat();
    // The scan leaves an odd message to the tape lane at its first odd member.
    let odd = |bytes: &[u8]| [&br#"{"jsonrpc":"2.0","ID":1,"params":"#[..], bytes].concat();
    vec![
        ("[ in params", inside(&brackets)),
        ("[ in an odd message", odd(&brackets)),
        ("0, in an odd message", odd(&[b"[", &zeros[..]].concat())),
        ("random bytes in params", inside(&random)),
        ("random bytes in an odd message", odd(&random)),
        ("0, in a batch", [b"[", &zeros[..]].concat()),
        ("[", brackets),
        (",", repeated(b",", MIB)),
        ("{\"a\":", repeated(br#"{"a":"#, MIB)),
        ("0,", zeros),
        ("random bytes", random),
    ]
}
