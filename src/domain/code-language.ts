/** What a text is read as, for its colours and for finding mistakes. */
export type CodeLanguage = 'text' | 'json' | 'env' | 'yaml'
