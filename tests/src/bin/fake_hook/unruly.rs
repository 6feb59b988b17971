//! A worker that mostly answers, and otherwise does one of the things that a worker must not do.
//!
//! Every line that it prints says which question it is about, in a number that the test looks at. A
//! line at a wrong time also names the call, as the loops for authors do, so that it can be told
//! from an answer whenever it comes.

use std::{process, thread, time::Duration};

use hook_contract::Json;

use crate::steps::{Hook, print};

/// How many of a thousand questions are not simply answered.
const SLIPS: u64 = 40;

/// Longer than the test gives it.
const LATE: Duration = Duration::from_millis(400);

/// Long enough for somebody else to be asked something.
const MOMENT: Duration = Duration::from_micros(300);

/// Answers until its input ends.
pub(crate) fn serve(hook: &mut Hook, seed: u64) {
    let mut random = Random(seed ^ u64::from(process::id()).rotate_left(32));
    loop {
        hook.read_line();
        let request = Json::parse(&hook.text()).expect("JSON");
        let (number, call) = (
            request["input"]["n"].to_string(),
            request["tool_call_id"].to_string(),
        );
        let anonymous = answer(&number, None);
        let named = answer(&number, Some(&call));
        if random.below(1000) >= SLIPS {
            // Both kinds of answer are right ones.
            print(if random.below(2) == 0 {
                &anonymous
            } else {
                &named
            });
            continue;
        }
        match random.below(11) {
            // Two lines in one breath.
            0 => print(&[anonymous.as_slice(), &anonymous].concat()),
            // Two lines, the second some time later: perhaps when the next question is there.
            1 => {
                print(&named);
                thread::sleep(MOMENT);
                print(&named);
            }
            // The same without a pause.
            2 => {
                print(&anonymous);
                print(&named);
            }
            // An answer that comes too late, perhaps to a question after this one.
            3 => {
                thread::sleep(LATE);
                print(&anonymous);
            }
            // A part of a line, and the end.
            4 => {
                print(&anonymous[..anonymous.len() / 2]);
                process::exit(0);
            }
            5 => process::exit(3),
            // A log line where the answer belongs.
            6 => print(b"checking\n"),
            // Everything, but no end of the line.
            7 => print(&anonymous[..anonymous.len() - 1]),
            // It answers, and ends.
            8 => {
                print(&anonymous);
                process::exit(0);
            }
            // A flood of errors before the answer and after it.
            9 => {
                flood();
                print(&anonymous);
                flood();
            }
            // The answer in two pieces is an answer.
            _ => {
                let (first, second) = anonymous.split_at(anonymous.len() / 2);
                print(first);
                thread::sleep(MOMENT);
                print(second);
            }
        }
    }
}

/// The line that answers the question of this number.
pub(crate) fn answer(number: &str, call: Option<&str>) -> Vec<u8> {
    let call = call.map(|call| format!(r#","tool_call_id":{call}"#));
    let call = call.unwrap_or_default();
    format!("{{\"decision\":\"modify\",\"input\":{{\"n\":{number}}}{call}}}\n").into_bytes()
}

fn flood() {
    for _ in 0..2000 {
        eprintln!("{}", "x".repeat(60));
    }
}

/// Numbers that look random (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 |= 1;
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % limit
    }
}
