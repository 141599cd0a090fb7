pub(super) fn explain(_: Option<&str>) -> Result<String, String> {
    Ok(String::new())
}
