import { TestClient } from '../support/build-client.ts'

/** A client whose queue is read once between two writes: the model looks at it many times, and that was a tenth of a history's time. */
export class ReadOnceClient extends TestClient {
  #entries: ReturnType<TestClient['entries']> | null = null
  #drift: string[] | null = null

  /** What was read is of another state: called after each write. */
  forget(): void {
    this.#entries = null
    this.#drift = null
  }

  override restart(): void {
    this.forget()
    super.restart()
  }

  override entries(): ReturnType<TestClient['entries']> {
    return (this.#entries ??= super.entries())
  }

  override drift(): string[] {
    return (this.#drift ??= super.drift())
  }
}
