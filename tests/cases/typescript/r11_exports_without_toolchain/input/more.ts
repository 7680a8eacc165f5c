/** From a star. */
export const more: string = "more";
