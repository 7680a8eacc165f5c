import { element, mount, type Child, type Mounted } from "./element.js";
import { Store } from "./internal/store.js";

/** How a dialog was left. */
export type DialogResult<T> = { confirmed: true; value: T } | { confirmed: false };

/** A question that is asked on top of the page. */
export default class Dialog<T = void> {
  /** Which dialogs are open, the topmost last. */
  static readonly open: Store<readonly Dialog<unknown>[]> = new Store<readonly Dialog<unknown>[]>([]);

  #mounted: Mounted | undefined;
  private resolve: ((result: DialogResult<T>) => void) | undefined;

  /**
   * @param title - Read aloud by screen readers when the dialog opens.
   * @param content - What is asked.
   */
  constructor(
    readonly title: string,
    protected content: Child,
    private readonly value: () => T,
  ) {}

  /** Whether it is on the page. */
  get isOpen(): boolean {
    return this.#mounted !== undefined;
  }

  /**
   * Show it, and wait until somebody answers.
   *
   * @param options - `where` is a CSS selector; `dismissable` lets Escape close it.
   * @throws {@link Error} It is open already.
   */
  async ask({ where = "body", dismissable = true }: { where?: string; dismissable?: boolean } = {}): Promise<
    DialogResult<T>
  > {
    if (this.isOpen) {
      throw new Error("the dialog is open already");
    }
    const box = element("dialog", { "aria-label": this.title, "data-dismissable": dismissable }, this.content);
    this.#mounted = mount(box, where);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  /** Answer it, as if somebody had pressed a button. */
  close(confirmed = false): void {
    this.#mounted?.unmount();
    this.#mounted = undefined;
    this.resolve?.(confirmed ? { confirmed, value: this.value() } : { confirmed: false });
  }
}
