declare const _default: { readonly a: 1 };
export default _default;
