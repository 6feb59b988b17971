//! The commands `check` and `explain` as authors of hooks use them: the real binary, real files, real programs.

#[cfg(test)]
mod approver;
#[cfg(test)]
mod broken;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod json;
#[cfg(test)]
mod knowledge;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod place;
#[cfg(test)]
mod usage;
#[cfg(test)]
mod users;
#[cfg(test)]
mod whole;
