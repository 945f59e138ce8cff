/** The tags in a text with commas between them, each once. A tag that contains a comma cannot be written so. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

/** The tags that a user or API key is limited to, as a form has them: an empty field means no limit. */
export function limitIn(text: string): string[] | null {
  const tags = tagsIn(text);
  return tags.length === 0 ? null : tags;
}
