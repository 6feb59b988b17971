use std::{
    collections::BTreeMap,
    fmt,
    path::Path,
    sync::{Arc, Mutex},
    time::Instant,
};

use hook_contract::{
    HookCall, HookOutcome, HookSpec, Interceptor, InterceptorError, OnFailure, async_trait,
};
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};
use tracing_subscriber::{Layer, layer::Context, prelude::*, registry::LookupSpan};

use crate::HookRunner;

/// Writes down what it is told, one line for each thing.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<String>>>);

impl Listener {
    fn tell(&self, line: String) {
        self.0.lock().expect("whole").push(line);
    }

    fn told(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("whole"))
    }
}

/// The fields of a thing, by their names.
#[derive(Default)]
struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // How long something took, and how much was sent, is nobody's rule.
        let is_measured = field.name().ends_with("_us") || field.name().starts_with("bytes_");
        let value = if is_measured {
            "…".into()
        } else {
            format!("{value:?}")
        };
        self.0.insert(field.name(), value);
    }
}

impl Fields {
    fn text(self) -> String {
        let fields = self
            .0
            .into_iter()
            .map(|(name, value)| format!(" {name}={value}"));
        fields.collect()
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Listener {
    fn on_new_span(&self, attributes: &Attributes<'_>, _id: &Id, context: Context<'_, S>) {
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let within = context.lookup_current();
        let within = within.map_or("nothing", |span| span.name());
        let name = attributes.metadata().name();
        self.tell(format!("{name} in {within}:{}", fields.text()));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        values.record(&mut fields);
        let name = context.span(id).expect("open").name();
        self.tell(format!("{name} ={}", fields.text()));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let within = context.event_span(event).expect("in a span").name();
        let name = event.metadata().name();
        self.tell(format!("{name} in {within}:{}", fields.text()));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let name = context.span(&id).expect("open").name();
        self.tell(format!("{name} ends"));
    }
}

/// Denies calls of one tool, never answers about another.
struct Guard;

#[async_trait]
impl Interceptor for Guard {
    fn name(&self) -> &'static str {
        "guard"
    }

    async fn intercept(
        &self,
        call: &hook_contract::HookRequest,
    ) -> Result<HookOutcome, InterceptorError> {
        match call.tool_name.as_str() {
            "denied" => Ok(HookOutcome::deny("a secret reason")),
            "endless" => std::future::pending().await,
            _ => Ok(HookOutcome::Allow),
        }
    }
}

fn runner() -> HookRunner {
    let gone = HookSpec::new("gone", ["./gone"]).with_on_failure(OnFailure::Allow);
    let since = Instant::now();
    HookRunner::builder(Path::new("/"))
        .with_interceptor(Guard)
        .with_hooks([gone])
        .with_reporter(|_| ())
        .with_clock(move || since)
        .build()
        .expect("a runner")
}

fn call(tool: &str) -> HookCall {
    HookCall::new("agent-1", tool, "call-1", r#"{"password":"secret"}"#)
}

/// What is told while the future runs.
async fn told_of(consult: impl Future<Output = ()>) -> Vec<String> {
    let listener = Listener::default();
    let subscriber = tracing_subscriber::registry().with(listener.clone());
    let guard = tracing::subscriber::set_default(subscriber);
    consult.await;
    drop(guard);
    listener.told()
}

const CONSULT: &str = "hookchain.consult in nothing: agent_id=\"agent-1\" event=\"pre_tool_use\" tool_call_id=\"call-1\"";
const ASK: &str = "hookchain.ask in hookchain.consult: dialect=\"native\" event=\"pre_tool_use\"";
const STEP: &str = "hookchain.step in hookchain.ask: bytes_received=… bytes_sent=…";

#[tokio::test]
async fn a_consultation_is_a_span_and_so_is_each_question_in_it() {
    let told = told_of(async {
        assert_eq!(runner().decide(&call("other")).await, HookOutcome::Allow);
    });
    let host = "kind=interceptor name=\"guard\" origin=host";
    let hook = "kind=hook name=\"gone\" origin=supplied";
    let times = "queued_us=… took_us=…";
    assert_eq!(
        told.await,
        [
            format!("{CONSULT} tool_name=\"other\""),
            format!("{ASK} kind=\"interceptor\" name=\"guard\" origin=host pass=1"),
            "hookchain.ask = decision=\"allow\"".into(),
            format!("{STEP} decision=\"allow\" event=\"pre_tool_use\" {host} {times}"),
            "hookchain.ask ends".into(),
            format!("{ASK} kind=\"hook\" name=\"gone\" origin=supplied pass=1"),
            "hookchain.ask = decision=\"failed\"".into(),
            "hookchain.ask = failure=\"start\"".into(),
            format!(
                "{STEP} decision=\"failed\" event=\"pre_tool_use\" failure=\"start\" {hook} {times}"
            ),
            "hookchain.ask ends".into(),
            "hookchain.consult = asked=2".into(),
            "hookchain.consult = outcome=\"allow\"".into(),
            "hookchain.consult ends".into(),
        ]
    );
}

#[tokio::test]
async fn no_field_holds_what_was_asked_or_why_it_was_denied() {
    let told = told_of(async {
        let outcome = runner().decide(&call("denied")).await;
        assert!(matches!(outcome, HookOutcome::Deny(_)));
    });
    let told = told.await.join("\n");
    assert!(
        told.contains("outcome=\"deny\"") && !told.contains("secret"),
        "{told}"
    );
}

#[tokio::test]
async fn a_consultation_that_is_dropped_ends_its_spans() {
    let told = told_of(async {
        let runner = runner();
        let endless = call("endless");
        let consult = runner.decide(&endless);
        tokio::select! {
            biased;
            _ = consult => panic!("an answer"),
            () = std::future::ready(()) => {}
        }
    });
    assert_eq!(
        told.await.split_off(2),
        [
            "hookchain.ask ends",
            "hookchain.consult = outcome=\"abandoned\"",
            "hookchain.consult ends"
        ]
    );
}
