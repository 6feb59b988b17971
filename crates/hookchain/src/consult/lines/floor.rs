//! The calls that are under way: each is waiting, running, or in the lane of those that have no id.

use std::collections::{HashMap, VecDeque};

use hook_runner::Consultation;
use tokio::task::{self, AbortHandle, JoinError, JoinSet};

use super::{id::Id, line::Line, places::Place, writer::Writer};
use crate::{
    agents,
    command_error::CommandError,
    consult::{Desk, Name, call::Call, judge},
    status::Status,
};

/// What is under way.
pub(super) struct Floor<'d> {
    desk: &'d Desk,
    /// How many calls with an id run at once.
    jobs: usize,
    tasks: JoinSet<Judged>,
    /// The names of those that run, by their tasks. One that is not here has no id.
    running: HashMap<task::Id, Running>,
    /// Every open id.
    open: HashMap<Id, Option<AbortHandle>>,
    waiting: VecDeque<(Id, Box<Call>, Place)>,
    /// Lines without an id, in order; the first of them may run.
    lane: VecDeque<(Unnamed, Place)>,
    /// The call of the lane that runs.
    in_lane: Option<Place>,
    holds_back: bool,
    status: Status,
}

/// A call with an id that runs.
struct Running {
    id: Id,
    tool_call_id: String,
    place: Place,
}

/// A line without an id.
enum Unnamed {
    Call(Box<Call>),
    Wrong(String),
}

/// What came of a call.
#[derive(Debug)]
pub(super) struct Judged {
    call: Box<Call>,
    consultation: Consultation,
}

/// How a task ended.
pub(super) type Ended = Result<(task::Id, Judged), JoinError>;

impl<'d> Floor<'d> {
    pub(super) fn new(desk: &'d Desk, jobs: usize) -> Self {
        Self {
            desk,
            jobs,
            tasks: JoinSet::new(),
            running: HashMap::new(),
            open: HashMap::new(),
            waiting: VecDeque::new(),
            lane: VecDeque::new(),
            in_lane: None,
            holds_back: false,
            status: Status::Done,
        }
    }

    pub(super) fn is_judging(&self) -> bool {
        !self.tasks.is_empty()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.waiting.is_empty() && self.lane.is_empty()
    }

    /// Whether calls wait for answers to be written.
    pub(super) const fn holds_back(&self) -> bool {
        self.holds_back
    }

    /// Trouble when a line was no call.
    pub(super) const fn status(&self) -> Status {
        self.status
    }

    /// Waits for the next call to be decided.
    pub(super) async fn ended(&mut self) -> Ended {
        match self.tasks.join_next_with_id().await {
            Some(ended) => ended,
            None => std::future::pending().await,
        }
    }

    /// Takes a line.
    pub(super) fn take(
        &mut self,
        line: Line,
        place: Place,
        writer: &Writer,
    ) -> Result<(), CommandError> {
        match line {
            Line::Call { id: None, call } => self.lane.push_back((Unnamed::Call(call), place)),
            Line::Call { id: Some(id), call } if self.open.contains_key(&id) => {
                let error = "the id is that of a call which is still open; give each its own";
                let text = self.refusal((&id, &call.details.tool_call_id), error)?;
                writer.write(text, Some(place));
            }
            // It waits for no hook, and so for no place either.
            Line::Call { id: Some(id), call } if !self.is_guarded(&call) => {
                self.start(id, call, place);
            }
            Line::Call { id: Some(id), call } => {
                self.open.insert(id.clone(), None);
                self.waiting.push_back((id, call, place));
            }
            Line::Wrong {
                id: None, error, ..
            } => self.lane.push_back((Unnamed::Wrong(error), place)),
            Line::Wrong {
                id: Some(id),
                tool_call_id,
                error,
            } => {
                let text = self.refusal((&id, &tool_call_id), &error)?;
                writer.write(text, Some(place));
            }
            // A call that is decided by now has its answer, and gets no second one.
            Line::Cancel(id) => self.cancel(&id, writer)?,
        }
        Ok(())
    }

    /// Begins every call that may begin.
    pub(super) fn start_what_may(&mut self, writer: &Writer) -> Result<(), CommandError> {
        self.holds_back = writer.is_full();
        while !self.holds_back
            && self.running.len() < self.jobs
            && let Some((id, call, place)) = self.waiting.pop_front()
        {
            self.start(id, call, place);
        }
        while !self.holds_back
            && self.in_lane.is_none()
            && let Some((line, place)) = self.lane.pop_front()
        {
            match line {
                Unnamed::Call(call) => {
                    let _runs_alone = self.judge(call);
                    self.in_lane = Some(place);
                }
                Unnamed::Wrong(error) => {
                    self.status = Status::Trouble;
                    writer.write(self.desk.refusal(None, &error)?, Some(place));
                }
            }
        }
        Ok(())
    }

    fn is_guarded(&self, call: &Call) -> bool {
        self.desk.runner.asks(call.event, &call.details.tool_name)
    }

    fn start(&mut self, id: Id, call: Box<Call>, place: Place) {
        let tool_call_id = call.details.tool_call_id.clone();
        let task = self.judge(call);
        let running = Running {
            id: id.clone(),
            tool_call_id,
            place,
        };
        self.running.insert(task.id(), running);
        self.open.insert(id, Some(task));
    }

    fn judge(&mut self, call: Box<Call>) -> AbortHandle {
        let runner = self.desk.runner.clone();
        self.tasks.spawn(async move {
            let consultation = judge(&runner, &call).await;
            Judged { call, consultation }
        })
    }

    /// Answers a call that was decided, or whose hooks were ended.
    pub(super) fn answer(&mut self, ended: &Ended, writer: &Writer) -> Result<(), CommandError> {
        let task = match ended {
            Ok((task, _)) => *task,
            Err(error) => error.id(),
        };
        let running = self.running.remove(&task);
        if let Some(running) = &running {
            self.open.remove(&running.id);
        }
        let name = running
            .as_ref()
            .map(|running| (&running.id, running.tool_call_id.as_str()));
        let text = match ended {
            Ok((_, judged)) => self.desk.text(name, &judged.call, &judged.consultation)?,
            Err(error) if error.is_cancelled() => self.desk.cancelled(name)?,
            Err(error) => {
                let broken = format!(
                    "it broke inside: {error}; that is a mistake in hookchain, please report it"
                );
                self.desk.refusal(name, &broken)?
            }
        };
        let place = running.map(|running| running.place);
        writer.write(text, place.or_else(|| self.in_lane.take()));
        agents::tell_late(&self.desk.agents);
        Ok(())
    }

    fn cancel(&mut self, id: &Id, writer: &Writer) -> Result<(), CommandError> {
        match self.open.get(id) {
            None => {}
            // Its answer follows when its hooks have ended.
            Some(Some(task)) => task.abort(),
            Some(None) => {
                let mut waiting = self.waiting.iter();
                let at = waiting.position(|(waiting, ..)| waiting == id);
                self.open.remove(id);
                if let Some((id, call, place)) = at.and_then(|at| self.waiting.remove(at)) {
                    let name = Some((&id, call.details.tool_call_id.as_str()));
                    writer.write(self.desk.cancelled(name)?, Some(place));
                }
            }
        }
        Ok(())
    }

    fn refusal(&mut self, name: Name<'_>, error: &str) -> Result<String, CommandError> {
        self.status = Status::Trouble;
        self.desk.refusal(Some(name), error)
    }
}
