/** Plain data, as journal rows hold it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
