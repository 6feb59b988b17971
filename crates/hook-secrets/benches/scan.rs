//! How long 64 KiB without a secret take, as source code and as prose are.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use hook_secrets::{Shapes, is_secret_variable};

fn scan(bench: &mut Criterion) {
    let shapes = Shapes::default();
    let code = include_str!("../src/scan.rs")
        .replace("Bearer ", "")
        .repeat(16);
    let prose = include_str!("../NOTICE").repeat(8);
    for (name, text) in [("code", code), ("prose", prose)] {
        let end = (0..=64 * 1024)
            .rev()
            .find(|end| text.is_char_boundary(*end));
        let text = text.get(..end.unwrap_or_default()).unwrap_or_default();
        bench.bench_function(&format!("64 KiB of {name}"), |bench| {
            bench.iter(|| shapes.find_all(black_box(text)));
        });
    }
    bench.bench_function("100 variables", |bench| {
        bench.iter(|| {
            (0..100)
                .filter(|_| is_secret_variable("EDITOR", black_box("/usr/bin/vi")))
                .count()
        });
    });
}

criterion_group!(benches, scan);
criterion_main!(benches);
