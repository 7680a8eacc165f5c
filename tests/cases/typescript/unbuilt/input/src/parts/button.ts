export interface ButtonProps {
  label: string;
  onClick?: (event: Event) => void;
}

@customElement("ui-button")
export class Button {
  static count = 0;
  private secret = 1;
  #hidden = 2;
  constructor(public readonly props: ButtonProps, protected depth: number = 1) {}
  /** Clicks. */
  click(times: number = 1): this {
    return this;
  }
}

declare function customElement(name: string): ClassDecorator;
