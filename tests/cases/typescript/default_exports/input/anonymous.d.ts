export default class {
  go(): this;
}
