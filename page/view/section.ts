/** Section of the manual in the search index, as the build writes it. */
export interface Section {
  readonly page: string;
  readonly title: string;
  readonly path: string;
  readonly text: string;
  /** Words by which readers search the page, besides its own. */
  readonly words: string;
}
