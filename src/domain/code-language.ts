/** The language of a text, for its colours and for finding mistakes. */
export type CodeLanguage = 'text' | 'json' | 'env' | 'yaml'
