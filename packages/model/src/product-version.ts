/** The version of the product, shared by all its processes. */
export const productVersion = '0.1.0';
