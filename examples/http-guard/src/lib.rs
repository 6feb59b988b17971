#![doc = include_str!("../README.md")]
use hook_contract::{
    Answer, HookEvent, HookOutcome, HookRequest, HookSpec, Interceptor, InterceptorError, Kind,
    OnFailure, Subject, async_trait,
};
use std::{path::Path, sync::Arc, thread, time::Duration};

/// Asks the service at `url` before every call of a shell.
pub struct HttpGuard {
    pub name: String,
    pub url: String,
    pub timeout: Duration,
}

#[async_trait]
impl Interceptor for HttpGuard {
    fn name(&self) -> &str {
        &self.name
    }
    fn kind(&self) -> &str {
        "http"
    }
    fn applies_to(&self, to: &Subject<'_>) -> bool {
        let is_shell = to.kinds.contains(Kind::Shell) || ["Bash", "shell"].contains(&to.tool_name);
        to.event == HookEvent::PreToolUse && is_shell
    }
    fn on_failure(&self) -> OnFailure {
        OnFailure::Deny
    }
    fn timeout(&self) -> Option<Duration> {
        Some(self.timeout)
    }
    async fn intercept(&self, call: &HookRequest) -> Result<HookOutcome, InterceptorError> {
        self.answer(call).await.map(Answer::without_a_person)
    }
    /// The request blocks a thread of its own, so that the chain can cut this future; ureq's deadline ends the thread.
    async fn answer(&self, call: &HookRequest) -> Result<Answer, InterceptorError> {
        let (url, question) = (self.url.clone(), serde_json::to_vec(call)?);
        let deadline = self.timeout.saturating_add(Duration::from_secs(1));
        let (tell, told) = futures_channel::oneshot::channel();
        thread::Builder::new().spawn(move || tell.send(post(&url, &question, deadline)))?;
        told.await?
            .map_err(|error| format!("{}: {error}", self.url).into())
    }
}

fn post(url: &str, question: &[u8], deadline: Duration) -> Result<Answer, InterceptorError> {
    let config = ureq::post(url).config().timeout_global(Some(deadline));
    let request = config.max_redirects(0).proxy(None).build();
    let mut reply = request.content_type("application/json").send(question)?;
    Ok(serde_json::from_slice(&reply.body_mut().read_to_vec()?)?)
}

/// Makes a guard of an entry with `"http": {"url": "…"}`. The entry says which tools, how long, and what a failure means.
pub fn http(spec: &HookSpec, _: &Path) -> Result<Arc<dyn Interceptor>, InterceptorError> {
    let url = spec.config().and_then(|config| config["url"].as_str());
    let url = url.ok_or("it needs a `url`, such as `http://127.0.0.1:8080/ask`")?;
    let (name, url, timeout) = (spec.name.clone(), url.to_owned(), spec.timeout());
    Ok(Arc::new(HttpGuard { name, url, timeout }))
}
