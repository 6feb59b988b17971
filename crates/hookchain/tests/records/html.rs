//! `hookchain stats --html`, looked at by a browser.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

use crate::desk::Desk;

/// The names under which a browser without a window is found.
const BROWSERS: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
];

/// Loads the page in a frame as wide as the name of this document says, and writes down what is seen of it.
const LOOK: &str = r#"<!doctype html><meta charset="utf-8"><iframe id="frame"></iframe><pre id="seen"></pre><script>
const frame = document.getElementById("frame");
const width = Number(location.search.slice(1));
frame.style = `width:${width}px;height:2000px;border:0`;
frame.onload = () => {
  const inside = frame.contentDocument, root = inside.documentElement;
  const all = (what) => [...inside.querySelectorAll(what)];
  const isSeen = (element) => { const box = element.getBoundingClientRect(); return box.width > 0 && box.height > 0; };
  const isWithin = (element) => { const box = element.getBoundingClientRect(); return box.left >= -1 && box.right <= width + 1; };
  document.getElementById("seen").textContent = JSON.stringify({
    width: root.scrollWidth,
    charts: all("figure").length,
    bars: all("figure rect").filter(isSeen).length,
    outside: all("body *").filter((element) => !isWithin(element)).map((element) => element.outerHTML),
    heads: all("thead").filter(isSeen).length,
    foreign: all("script, img, iframe, object, link, b, a").length,
    hook: all("tbody th")[0].textContent,
    background: frame.contentWindow.getComputedStyle(inside.body).backgroundColor,
    fetched: frame.contentWindow.performance.getEntriesByType("resource").length,
    errors: window.happened ?? "nothing",
  });
};
frame.src = "page.html";
</script>"#;

/// A browser, if there is one here.
fn browser() -> Option<PathBuf> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a browser is looked for as a shell does"
    )]
    let path = env::var_os("PATH")?;
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    BROWSERS
        .iter()
        .flat_map(|name| places.iter().map(move |place| place.join(name)))
        .find(|path| path.is_file())
}

/// What the browser sees in a window of that width.
fn look(browser: &Path, desk: &Desk, width: u32, is_dark: bool) -> Value {
    #[expect(clippy::disallowed_methods, reason = "the browser is what looks")]
    let mut command = Command::new(browser);
    let look = desk.path("look.html");
    let scheme = u8::from(!is_dark);
    let ran = command
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--allow-file-access-from-files",
            "--virtual-time-budget=10000",
            "--dump-dom",
        ])
        .arg(format!("--blink-settings=preferredColorScheme={scheme}"))
        .arg(format!(
            "--user-data-dir={}",
            desk.path("browser").display()
        ))
        .arg(format!("file://{}?{width}", look.display()))
        .output()
        .expect("a browser that starts");
    let page = String::from_utf8_lossy(&ran.stdout).into_owned();
    let seen = page
        .split_once("<pre id=\"seen\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"));
    let (seen, _) =
        seen.unwrap_or_else(|| panic!("{page}{}", String::from_utf8_lossy(&ran.stderr)));
    let text = seen
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_browser_shows_the_page_at_any_width_by_day_and_by_night() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no browser of {BROWSERS:?} is in the PATH");
        return;
    };
    let desk = Desk::new();
    let hostile = "<img src=x onerror='top.happened=1'><script>top.happened=2</script>";
    let hooks = desk.path("ws/.basis/hooks.json");
    let text = fs::read_to_string(&hooks).expect("hooks");
    fs::write(&hooks, text.replace("\"guard\"", &format!("\"{hostile}\""))).expect("written");
    desk.record(crate::desk::CALLS, &[]);
    let ran = desk.run(&["stats", "records", "--html", "page.html"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
    assert!(!ran.stdout.is_empty(), "the table is printed as well");
    fs::write(desk.path("look.html"), LOOK).expect("written");

    let mut backgrounds = Vec::new();
    for (width, is_dark, heads) in [(390, false, 0), (1280, false, 2), (390, true, 0)] {
        let seen = look(&browser, &desk, width, is_dark);
        let of = |name: &str| seen.get(name).cloned().unwrap_or_default();
        assert_eq!(
            of("width"),
            width,
            "nothing is wider than the window: {seen}"
        );
        assert_eq!(of("outside"), Value::Array(Vec::new()));
        assert_eq!([of("charts"), of("heads")], [4, heads]);
        assert!(of("bars").as_u64().is_some_and(|bars| bars >= 12), "{seen}");
        assert_eq!([of("foreign"), of("fetched")], [0, 0]);
        assert_eq!(of("errors"), "nothing");
        let names = of("hook");
        let name = names.as_str().expect("a name");
        assert!(name.contains(hostile) || name.contains("watch"), "{name}");
        backgrounds.push(of("background"));
    }
    assert_eq!(
        backgrounds,
        [
            "rgb(255, 255, 255)",
            "rgb(255, 255, 255)",
            "rgb(21, 24, 28)"
        ]
    );
}

#[test]
fn a_page_that_cannot_be_written_is_said() {
    let desk = Desk::recorded(&[]);
    let ran = desk.run(&["stats", "records", "--html", "nowhere/page.html"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(
        ran.stderr,
        "error: cannot write nowhere/page.html: No such file or directory (os error 2)\n"
    );
}
