/** One thing wrong with the configuration. */
export interface ConfigMistake {
  /** The dotted key, or the name as it was written where no setting has it. */
  readonly key: string;
  /** Where it was said: an environment variable, a file with its line, or that nothing said it. */
  readonly source: string;
  /** What is wrong, in a sentence that follows the key. Never holds a secret. */
  readonly message: string;
}

/** The configuration cannot be used; `mistakes` are all of them, in the order file, environment, missing. */
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
