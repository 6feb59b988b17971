//! `hookchain schema` prints what is committed.

use std::fs;

use crate::desk::run;

#[test]
fn each_schema_is_the_committed_one() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas");
    let mut files = Vec::new();
    for line in run(&["schema"]).stdout.lines() {
        let mut words = line.split_whitespace();
        let (name, file) = (words.next().expect("a name"), words.next().expect("a file"));
        let ran = run(&["schema", name]);
        assert_eq!((ran.status, ran.stderr.as_str()), (Some(0), ""));
        let committed = fs::read_to_string(format!("{folder}/{file}")).expect("a schema");
        assert_eq!(ran.stdout, committed, "{name}");
        files.push(file.to_owned());
    }
    let mut there: Vec<_> = fs::read_dir(folder)
        .expect("the schemas")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    there.sort();
    files.sort();
    assert_eq!(files, there, "every schema can be printed");
}

#[test]
fn without_a_name_all_are_listed() {
    insta::assert_snapshot!("schemas", run(&["schema"]).stdout);
}
