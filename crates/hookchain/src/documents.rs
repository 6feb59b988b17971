//! The JSON Schemas of everything that an author of hooks reads or writes.

mod hook_test;

use schemars::Schema;
use serde_json::Value;

/// The version of the shape of test case files, written as `schema`.
///
/// It rises only when a file written in the old shape would mean something else in the new one.
pub const HOOK_TEST_SCHEMA: u32 = 1;

/// What `hookchain schema` calls each of them, in the order of [`all`].
///
/// Told apart from the schemas because every start of the command needs the names, and making the schemas takes time.
pub const NAMES: [&str; 5] = ["request", "response", "hooks-file", "hook-test", "record"];

/// One schema and its names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// What `hookchain schema` calls it.
    pub name: &'static str,
    /// The name of its file.
    pub file: &'static str,
    /// What it describes, in a few words.
    pub about: &'static str,
    schema: Schema,
}

/// Every schema.
#[must_use]
pub fn all() -> [Document; 5] {
    [
        Document {
            name: "request",
            file: "hook-request.v1.schema.json",
            about: "what a hook is asked",
            schema: hook_contract::schema::request(),
        },
        Document {
            name: "response",
            file: "hook-response.v1.schema.json",
            about: "what a hook answers",
            schema: hook_wire::schema::response(),
        },
        Document {
            name: "hooks-file",
            file: "hooks-file.v1.schema.json",
            about: "which hooks there are: .basis/hooks.json",
            schema: hook_config::schema::hooks_file(),
        },
        Document {
            name: "hook-test",
            file: "hook-test.v1.schema.json",
            about: "cases for `hookchain test`: *.hooktest.json",
            schema: hook_test::schema(),
        },
        Document {
            name: "record",
            file: "hook-record.v1.schema.json",
            about: "one line of the records of consultations",
            schema: hook_audit::schema::record(),
        },
    ]
}

impl Document {
    /// The schema as a value.
    #[must_use]
    pub fn value(&self) -> Value {
        self.schema.clone().into()
    }

    /// The text of its file: keys in alphabetical order, whatever other crates make of maps, and a final line end.
    #[must_use]
    pub fn text(&self) -> String {
        let mut value = self.value();
        value.sort_all_objects();
        // The alternate form is the indented one.
        format!("{value:#}\n")
    }
}
