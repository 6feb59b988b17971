//! What cargo says about the packages of the workspace.

use serde_json::Value;

use crate::{
    Result,
    command::{cargo, output},
};

/// One package of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Every feature but `default`.
    pub(crate) features: Vec<String>,
    /// Every dependency in the manifest, whatever its kind.
    pub(crate) dependencies: Vec<String>,
    pub(crate) is_library: bool,
}

/// Every package of the workspace, in the order of their names.
pub(crate) fn packages() -> Result<Vec<Package>> {
    let metadata = output(cargo().args(["metadata", "--format-version=1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut packages: Vec<_> = list(metadata.get("packages").unwrap_or(&Value::Null))
        .map(package)
        .collect();
    packages.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(packages)
}

/// Every feature of every package but the ones that are named, as cargo takes them.
pub(crate) fn features_but(packages: &[Package], left_out: &[&str]) -> String {
    let features = packages.iter().flat_map(|package| {
        let name = &package.name;
        package
            .features
            .iter()
            .map(move |feature| format!("{name}/{feature}"))
    });
    let features: Vec<_> = features
        .filter(|feature| !left_out.contains(&feature.as_str()))
        .collect();
    features.join(",")
}

fn package(package: &Value) -> Package {
    let features = package["features"].as_object();
    let features = features.into_iter().flat_map(serde_json::Map::keys);
    let mut kinds = list(&package["targets"]).flat_map(|target| list(&target["kind"]));
    Package {
        name: text(&package["name"]),
        features: features
            .filter(|feature| *feature != "default")
            .cloned()
            .collect(),
        dependencies: list(&package["dependencies"])
            .map(|dependency| text(&dependency["name"]))
            .collect(),
        is_library: kinds.any(|kind| kind == "lib"),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
