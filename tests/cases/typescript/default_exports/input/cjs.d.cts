declare function make(options?: make.Options): make.Made;
declare namespace make {
  interface Options { deep?: boolean }
  class Made { close(): void }
}
export = make;
