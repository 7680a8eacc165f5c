/** Is called with the new state and the one before. */
export type Listener<S> = (state: S, before: S) => void;

/** State that several parts of a page share. */
export class Store<S> {
  private listeners = new Set<Listener<S>>();

  constructor(private state: S) {}

  /** The state as it is now. */
  get(): S {
    return this.state;
  }

  /**
   * Change it.
   *
   * @param next - The new state, or what makes it of the old one.
   */
  set(next: S | ((before: S) => S)) {
    const before = this.state;
    this.state = typeof next === "function" ? (next as (before: S) => S)(before) : next;
    for (const listener of this.listeners) {
      listener(this.state, before);
    }
  }

  /**
   * Be told of changes.
   *
   * @returns What ends it.
   */
  subscribe(listener: Listener<S>) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
