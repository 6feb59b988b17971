//! An object's members as they were written.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of a JSON object in the order in which they were written, repeated keys included.
///
/// Keys and values are slices of the text, so that their place in it is known
/// ([`Position::of`](super::Position::of)) and numbers keep their digits. Only the object itself is
/// taken apart; its values are checked for syntax and left as text.
///
/// ```
/// use hook_contract::json::Members;
///
/// let members: Members<'_> = serde_json::from_str(r#"{"id": 10000000000000000000000}"#)?;
/// let id = members.iter().next().expect("one member");
/// assert_eq!((id.name.as_ref(), id.value), ("id", "10000000000000000000000"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Members<'a>(Vec<Member<'a>>);

/// One member of an object.
///
/// ```
/// use hook_contract::Json;
///
/// let object = Json::parse(r#"{"n\u0061me": 1.50}"#)?;
/// let member = object.members().expect("an object").into_iter().next().expect("one member");
/// assert_eq!(member.name, "name");
/// assert_eq!((member.name_text, member.value), (r#""n\u0061me""#, "1.50"));
/// # Ok::<(), hook_contract::json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Member<'a> {
    /// The name, with escapes resolved.
    pub name: Cow<'a, str>,
    /// The name as it was written, quotes included.
    pub name_text: &'a str,
    /// The value as it was written.
    pub value: &'a str,
}

impl<'a> Members<'a> {
    /// The members in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Member<'a>> {
        self.0.iter()
    }

    /// The value of the first member of that name, as it was written.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.iter()
            .find(|member| member.name == name)
            .map(|member| member.value)
    }
}

impl<'a> IntoIterator for Members<'a> {
    type Item = Member<'a>;
    type IntoIter = std::vec::IntoIter<Member<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, 'm> IntoIterator for &'m Members<'a> {
    type Item = &'m Member<'a>;
    type IntoIter = std::slice::Iter<'m, Member<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor).map(Self)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Vec<Member<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(text) = map.next_key::<&'de RawValue>()? {
            // The library's own message would count from the start of the name.
            let name = unquote(text.get())
                .ok_or_else(|| serde::de::Error::custom("a name that is not valid Unicode"))?;
            members.push(Member {
                name,
                name_text: text.get(),
                value: map.next_value::<&'de RawValue>()?.get(),
            });
        }
        Ok(members)
    }
}

/// The text of a string literal, borrowed where nothing is escaped; nothing for half a surrogate pair.
fn unquote(literal: &str) -> Option<Cow<'_, str>> {
    if literal.contains('\\') {
        serde_json::from_str::<String>(literal).ok().map(Cow::Owned)
    } else {
        serde_json::from_str::<&str>(literal)
            .ok()
            .map(Cow::Borrowed)
    }
}
