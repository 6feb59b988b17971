//! The spans of a runner, exported by OpenTelemetry.
//!
//! `hook-runner` says what it does by `tracing`, under stable names, and knows no exporter. A host that exports its own
//! spans has those of its hooks among them with nothing but the feature `tracing`; this is such a host.

use hook_contract::{HookCall, HookOutcome};
use hook_runner::HookRunner;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{ExporterBuildError, Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use tracing::Instrument;
use tracing_subscriber::{Registry, layer::SubscriberExt};

/// What sends spans to the collector at this address, such as `http://localhost:4318/v1/traces`, from a thread of its own.
///
/// # Errors
///
/// When the address is none.
pub fn provider(endpoint: &str) -> Result<SdkTracerProvider, ExporterBuildError> {
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpJson)
        .with_endpoint(endpoint)
        .build()?;
    let resource = Resource::builder().with_service_name("agent").build();
    Ok(SdkTracerProvider::builder()
        .with_resource(resource)
        .with_batch_exporter(exporter)
        .build())
}

/// What the host installs: every span becomes one of OpenTelemetry.
pub fn subscriber(provider: &SdkTracerProvider) -> impl tracing::Subscriber + Send + Sync + use<> {
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("agent"));
    Registry::default().with(layer)
}

/// A turn of the agent: the host's own span, and in it those of the hooks.
pub async fn turn(runner: &HookRunner, call: &HookCall) -> HookOutcome {
    let span = tracing::info_span!("agent.turn");
    runner.decide(call).instrument(span).await
}
