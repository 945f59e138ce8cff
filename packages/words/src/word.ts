/** Urgency of a value. Label and icon express the same without colour. */
export type Tone = 'critical' | 'important' | 'moderate' | 'low' | 'good' | 'neutral';

/** Label of a value, and its urgency. */
export interface Label {
  readonly words: string;
  readonly tone: Tone;
}

/** A label with a sentence that explains it. */
export interface Word extends Label {
  readonly meaning: string;
}
