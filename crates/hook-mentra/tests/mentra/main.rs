//! A real mentra runtime with a scripted model, real tools, real hooks files and real hook programs.

#[cfg(test)]
mod around;
#[cfg(test)]
mod asks;
#[cfg(test)]
mod audiences;
#[cfg(all(test, target_os = "linux"))]
mod cancelled;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod decisions;
#[cfg(test)]
mod directories;
#[cfg(test)]
mod failures;
#[cfg(test)]
mod gates;
#[cfg(test)]
mod model;
#[cfg(test)]
mod notes;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod parallel;
#[cfg(test)]
mod probe;
#[cfg(test)]
mod scene;
#[cfg(test)]
mod table;
#[cfg(test)]
mod told;
