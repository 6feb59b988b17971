//! One question to a kept program, from the look into its output before it to the line that answers it.

use std::{
    os::fd::OwnedFd,
    pin::{Pin, pin},
    task::{Context, Poll},
    time::Duration,
};

use memchr::memchr;
use tokio::{
    runtime::Handle,
    time::{Instant, Sleep, sleep_until},
};

use super::{Heard, Kept, Pace, Unanswered};
use crate::process::{
    child::Exit,
    excerpt::Excerpt,
    pipes::{self, Input},
    talk::{
        READS_A_TURN, Read, SWEEP_READS, poll_time, read_answer, read_excerpt, read_ready, sweep,
    },
};

/// How many bytes are the end of a question: the brace and the line end, without which no reader has a whole one.
pub(super) const END: usize = 2;

/// How often a program is looked at for having taken a piece of a question: first at once, then when every other task had its
/// turn, then each millisecond. One that waits for the piece takes it within some microseconds.
const LOOKS_AT_ONCE: u32 = 16;
const LOOKS: u32 = 200;
/// How often it is looked for a second line of a program that names no call.
const LOOKS_ON: u32 = 64;
const NAP: Duration = Duration::from_millis(1);

/// How long nothing may follow the answer of a program that cannot be asked in two pieces.
const MOMENT: Duration = Duration::from_millis(5);

/// How long the end of a program is waited for whose output has ended: both mostly come together.
const DEATH_WAIT: Duration = Duration::from_millis(250);

/// One question under way.
pub(super) struct Turn<'a> {
    kept: &'a mut Kept,
    question: Input<'a>,
    limit: usize,
    /// Whether the output pipe was looked into.
    is_begun: bool,
    sent: usize,
    /// So much of what was printed holds no line end.
    searched: usize,
    /// Whether the output has ended.
    is_closed: bool,
    /// Whether, since then, only its end is waited for.
    waits_for_death: bool,
    errors: Excerpt,
}

impl<'a> Turn<'a> {
    pub(super) fn new(kept: &'a mut Kept, question: Input<'a>, limit: usize) -> Self {
        Self {
            kept,
            question,
            limit,
            is_begun: false,
            sent: 0,
            searched: 0,
            is_closed: false,
            waits_for_death: false,
            errors: Excerpt::default(),
        }
    }

    /// Puts the question, and waits for what comes of it.
    pub(super) async fn take(&mut self, pace: Pace, deadline: Instant) -> Heard {
        if self.kept.runtime != Handle::current().id()
            && let Err(error) = self.kept.move_here()
        {
            return Heard::Lost(error);
        }
        if pace == Pace::Measured
            && let Some(reply) = self.measure(deadline).await
        {
            return reply;
        }
        let mut timer = pin!(sleep_until(deadline));
        let reply = std::future::poll_fn(|cx| self.poll(cx, deadline, timer.as_mut())).await;
        if matches!(reply, Heard::Line) {
            match pace {
                Pace::AtOnce => {}
                Pace::Measured => self.look_on(),
                Pace::Watched => {
                    tokio::time::sleep(MOMENT).await;
                    self.read_on();
                }
            }
        }
        reply
    }

    /// Looks for a second line, as long as a program takes to print one in the same breath.
    fn look_on(&mut self) {
        for _ in 0..LOOKS_ON {
            std::thread::yield_now();
            if self.read_on() {
                return;
            }
        }
    }

    /// Reads what follows the line; whether something did.
    fn read_on(&mut self) -> bool {
        let Kept {
            stdout, printed, ..
        } = &mut *self.kept;
        matches!(
            read_answer(stdout.descriptor(), printed, self.limit),
            Read::Some | Read::Enough
        )
    }

    /// Writes the question without its end, and waits until that was taken. A reply is one that came too early.
    async fn measure(&mut self, deadline: Instant) -> Option<Heard> {
        let mut looks = 0;
        loop {
            let step = std::future::poll_fn(|cx| Poll::Ready(self.step(cx, deadline))).await;
            if let Some(reply) = step {
                return Some(reply);
            }
            let is_taken = self.sent + END >= self.question.len() && self.kept.unread() == 0;
            if is_taken || self.is_closed {
                // What was printed until it was taken is in the pipe by now.
                return std::future::poll_fn(|cx| Poll::Ready(self.look(cx))).await;
            }
            looks += 1;
            if looks < LOOKS_AT_ONCE {
                std::thread::yield_now();
            } else if looks < LOOKS {
                tokio::task::yield_now().await;
            } else {
                tokio::time::sleep(NAP).await;
            }
        }
    }

    fn step(&mut self, cx: &mut Context<'_>, deadline: Instant) -> Option<Heard> {
        let unasked = self.look(cx);
        self.is_begun = true;
        self.write_up_to(self.question.len().saturating_sub(END), cx);
        self.read_errors(cx);
        if unasked.is_some() {
            return unasked;
        }
        if let Poll::Ready(exit) = self.kept.child.poll_ended(cx) {
            return Some(self.ended(exit));
        }
        (Instant::now() >= deadline).then(|| self.over())
    }

    fn poll(
        &mut self,
        cx: &mut Context<'_>,
        deadline: Instant,
        mut timer: Pin<&mut Sleep>,
    ) -> Poll<Heard> {
        let unasked = if self.is_begun { None } else { self.look(cx) };
        self.is_begun = true;
        let reply = if unasked.is_some() || self.is_closed {
            unasked
        } else {
            self.write(cx);
            self.read(cx)
        };
        // Errors that were printed before the answer were announced before it, and go with it.
        self.read_errors(cx);
        if let Some(reply) = reply {
            return Poll::Ready(reply);
        }
        if self.is_closed && !self.waits_for_death {
            self.waits_for_death = true;
            timer
                .as_mut()
                .reset(deadline.min(Instant::now() + DEATH_WAIT));
        }
        if let Poll::Ready(exit) = self.kept.child.poll_ended(cx) {
            return Poll::Ready(self.ended(exit));
        }
        poll_time(timer, cx).map(|()| self.over())
    }

    /// Looks into the output pipe before anything is asked. The runtime may not know yet what is in
    /// it, so the pipe itself is read.
    fn look(&mut self, cx: &mut Context<'_>) -> Option<Heard> {
        for _ in 0..READS_A_TURN {
            let Kept {
                stdout, printed, ..
            } = &mut *self.kept;
            let ready = stdout.poll_readable(cx);
            match (read_answer(stdout.descriptor(), printed, self.limit), ready) {
                (Read::Nothing, Poll::Ready(Ok(mut ready))) => {
                    ready.clear_ready();
                    return None;
                }
                // The runtime of that number was another one, and is gone.
                (Read::Nothing, Poll::Ready(Err(_))) => {
                    return self.kept.move_here().err().map(Heard::Lost);
                }
                (Read::Nothing, Poll::Pending) => return None,
                (Read::End, _) => {
                    self.is_closed = true;
                    return None;
                }
                (Read::Some | Read::Enough, _) if is_blank(printed) => printed.clear(),
                (Read::Some | Read::Enough, _) => return Some(Heard::Unasked),
            }
        }
        // White space without end.
        Some(Heard::Unasked)
    }

    /// Writes what the pipe takes of the question.
    fn write(&mut self, cx: &mut Context<'_>) {
        self.write_up_to(self.question.len(), cx);
    }

    fn write_up_to(&mut self, end: usize, cx: &mut Context<'_>) {
        if self.sent == 0 {
            pipes::enlarge(self.kept.stdin.descriptor(), self.question.len());
        }
        let stdin = &self.kept.stdin;
        // All of it is written, or the pipe is full: one that has a reader knows no other error. Should it, nothing more
        // can be said, and the deadline ends it.
        let question = self.question;
        while let Ok(false) = question.write_up_to(end, stdin.descriptor(), &mut self.sent) {
            let Poll::Ready(Ok(mut stale)) = stdin.poll_writable(cx) else {
                return;
            };
            stale.clear_ready();
        }
    }

    fn is_written(&self) -> bool {
        self.sent == self.question.len()
    }

    /// Reads what there is of the answer, a bounded part of it at a time.
    fn read(&mut self, cx: &mut Context<'_>) -> Option<Heard> {
        for _ in 0..READS_A_TURN {
            let Kept {
                stdout, printed, ..
            } = &mut *self.kept;
            let Poll::Ready(ready) = stdout.poll_readable(cx) else {
                return None;
            };
            match (read_answer(stdout.descriptor(), printed, self.limit), ready) {
                (Read::Some, _) => {}
                (Read::Enough, _) => return Some(Heard::TooMuch),
                (Read::Nothing, Ok(mut ready)) => {
                    ready.clear_ready();
                    continue;
                }
                (Read::Nothing, Err(error)) => return Some(Heard::Lost(error)),
                (Read::End, _) => {
                    self.is_closed = true;
                    return None;
                }
            }
            let reply = self.whole_line();
            if reply.is_some() {
                return reply;
            }
        }
        cx.waker().wake_by_ref();
        None
    }

    /// The reply, once there is a line that is not blank.
    fn whole_line(&mut self) -> Option<Heard> {
        let printed = &mut self.kept.printed;
        if printed.len() > self.limit {
            return Some(Heard::TooMuch);
        }
        let mut start = 0;
        let found = loop {
            let rest = printed.get(self.searched..).unwrap_or_default();
            let Some(end) = memchr(b'\n', rest).map(|end| self.searched + end) else {
                self.searched = printed.len();
                break false;
            };
            if !printed.get(start..end).is_some_and(is_blank) {
                break true;
            }
            start = end + 1;
            self.searched = start;
        };
        // Blank lines are no answer and belong to none. All at once, because there may be thousands of them.
        printed.drain(..start);
        self.searched -= start;
        if !found {
            return None;
        }
        // The end of the question's own line may stay behind: some readers of JSON stop at the brace.
        Some(if self.is_written() && self.kept.unread() <= 1 {
            Heard::Line
        } else {
            Heard::Early
        })
    }

    /// The program has ended; what it wrote itself is in the pipe by now, and a whole line counts.
    fn ended(&mut self, exit: Exit) -> Heard {
        for _ in 0..SWEEP_READS {
            let Kept {
                stdout, printed, ..
            } = &mut *self.kept;
            match read_answer(stdout.descriptor(), printed, self.limit) {
                Read::Some => {}
                Read::Enough => return Heard::TooMuch,
                Read::Nothing | Read::End => break,
            }
            if let Some(reply) = self.whole_line() {
                return reply;
            }
        }
        Heard::Ended(exit, self.unanswered())
    }

    /// The time is over.
    fn over(&self) -> Heard {
        if self.is_closed {
            Heard::Closed
        } else {
            Heard::Late(self.unanswered())
        }
    }

    fn unanswered(&self) -> Unanswered {
        Unanswered {
            taken: self.kept.unread() < self.sent as u64,
            begun: !is_blank(&self.kept.printed),
        }
    }

    fn read_errors(&mut self, cx: &mut Context<'_>) {
        let read = |pipe: &OwnedFd| read_excerpt(pipe, &mut self.errors);
        if read_ready(&mut self.kept.stderr, cx, read) {
            cx.waker().wake_by_ref();
        }
    }

    /// How much of the question was written, and what was printed as errors meanwhile.
    pub(super) fn into_sent_and_errors(self) -> (usize, Excerpt) {
        (self.sent, self.errors)
    }

    pub(super) fn sweep_errors(&mut self) {
        sweep(&mut self.kept.stderr, |pipe| {
            read_excerpt(pipe, &mut self.errors)
        });
    }
}

/// White space as JSON knows it.
fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| b" \t\n\r".contains(byte))
}
