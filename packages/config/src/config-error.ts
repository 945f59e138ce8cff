/** One mistake in the configuration. */
export interface ConfigMistake {
  /** The dotted key, or the name as written if no setting has it. */
  readonly key: string;
  /** Its origin: an environment variable, a file with its line, or a note that it is not set. */
  readonly source: string;
  /** The mistake, as a sentence that follows the key. Never contains a secret. */
  readonly message: string;
}

/** The configuration is unusable; `mistakes` lists all of them, in the order file, environment, missing. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly ConfigMistake[];

  constructor(mistakes: readonly ConfigMistake[]) {
    const lines = mistakes.map(({ key, source, message }) => `  ${key} ${message} (${source})`);
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`,
    );
    this.mistakes = mistakes;
  }
}
