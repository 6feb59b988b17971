//! What it costs to find the hooks of one call among many.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hook_dialect::{Dialect, Matcher, MatcherSet};

/// Two hundred groups as settings have them: lists of names, servers, anchored choices, and a few that look around.
fn groups(dialect: &Dialect) -> MatcherSet {
    let pattern = |index: usize| match index % 10 {
        0..=3 => format!("Tool{index}|Edit|Write"),
        4..=6 => format!("mcp__server{index}__.*"),
        7 => format!("^(Bash|Tool{index})$"),
        8 => format!("Notebook.*{index}"),
        _ if dialect.name == "claude" => format!("^(?!mcp__server{index})"),
        _ => format!("(?i)tool{index}"),
    };
    let matchers = (0..200).map(|index| Matcher::parse(Some(&pattern(index)), dialect.matcher));
    MatcherSet::new(matchers)
}

fn select(criterion: &mut Criterion) {
    for dialect in Dialect::ALL {
        let set = groups(dialect);
        for tool in ["Bash", "Edit", "mcp__server104__create_issue"] {
            let name = format!("{}, 200 groups, {tool}", dialect.name);
            criterion.bench_function(&name, |bencher| {
                bencher.iter(|| set.select(black_box(&[tool])));
            });
        }
    }
}

criterion_group!(benches, select);
criterion_main!(benches);
