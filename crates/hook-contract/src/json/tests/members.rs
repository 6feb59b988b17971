use proptest::prelude::*;

use super::{
    super::{Json, Members, Position},
    perhaps_ambiguous, soup,
};

fn members(text: &str) -> Result<Members<'_>, serde_json::Error> {
    serde_json::from_str(text)
}

/// Where a place is, counted the slow way.
fn counted(text: &str, offset: usize) -> (usize, usize) {
    let (mut line, mut column) = (1, 1);
    for (at, character) in text.char_indices() {
        if at >= offset {
            break;
        }
        if character == '\n' {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
    }
    (line, column)
}

proptest! {
    #[test]
    fn members_are_taken_from_objects_and_from_nothing_else(text in soup()) {
        let read = members(&text);
        let object = text.trim_start_matches([' ', '\n', '\t']).starts_with('{');
        prop_assert!(object || read.is_err());
        if Json::parse(&text).is_ok() {
            prop_assert_eq!(read.is_ok(), object);
        }
    }

    #[test]
    fn members_are_slices_of_the_text_in_its_order(text in perhaps_ambiguous()) {
        let Ok(members) = members(&text.spaced) else {
            let object = text.compact.starts_with('{');
            prop_assert!(!object);
            return Ok(());
        };
        let mut end = 0;
        for member in &members {
            for part in [member.name_text, member.value] {
                let position = Position::of(&text.spaced, part);
                prop_assert!(position.offset >= end);
                prop_assert!(text.spaced.split_at(position.offset).1.starts_with(part));
                end = position.offset + part.len();
            }
            let name: String = serde_json::from_str(member.name_text).expect("a string");
            prop_assert_eq!(&member.name, &name);
            let first = members.iter().find(|other| other.name == name).map(|m| m.value);
            prop_assert_eq!(members.get(&name), first);
        }
        let written: Vec<_> = members
            .into_iter()
            .filter_map(|m| Some(format!("{}:{}", m.name_text, Json::parse(m.value).ok()?)))
            .collect();
        if Json::parse(&text.spaced).is_ok() {
            prop_assert_eq!(format!("{{{}}}", written.join(",")), text.compact);
        }
    }

    #[test]
    fn a_place_is_counted_as_editors_count(text in "[aä👾\r\n ]{0,40}", offset in 0_usize..200) {
        let position = Position::at(&text, offset);
        prop_assert!(position.offset <= offset && text.is_char_boundary(position.offset));
        prop_assert!(offset >= text.len() || offset - position.offset < 4);
        prop_assert_eq!((position.line, position.column), counted(&text, position.offset));
        prop_assert_eq!(Position::of(&text, text.split_at(position.offset).1), position);
    }

    #[test]
    fn an_error_is_placed_inside_the_text(text in soup()) {
        if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&text) {
            let position = Position::of_error(&text, &error);
            prop_assert!(position.offset <= text.len());
            prop_assert_eq!((position.line, position.column), counted(&text, position.offset));
        }
    }

    #[test]
    fn the_first_wrong_character_is_found(before in "([ \n]|[0-9],|\"[aä👾]\",){0,9}") {
        let text = format!("[{before}!]");
        let error = Json::parse(&text).expect_err("not JSON");
        prop_assert_eq!(error.position(), Position::at(&text, before.len() + 1));
    }
}

#[test]
fn the_members_of_anything_else_are_an_error() {
    for text in ["[]", "\"{}\"", "1", "null", "", "{", "{\"a\"}", "{} {}"] {
        members(text).expect_err(text);
    }
    assert_eq!(members("{}").expect("an object").iter().count(), 0);
}

#[test]
fn a_name_that_is_no_text_is_found_where_it_stands() {
    let text = "{\"a\": 1,\n  \"\\ud800\": 2}";
    let error = members(text).expect_err("half a surrogate pair");
    let position = Position::of_error(text, &error);
    assert_eq!((position.line, position.column), (2, 10), "{error}");
}
