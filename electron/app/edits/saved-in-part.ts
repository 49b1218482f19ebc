/** Thrown if an unexpected error, its cause, ended an edit of which a part is saved. The message says what is saved, and what to do. */
export class SavedInPart extends Error {}
