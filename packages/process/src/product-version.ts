/** The version of the product, of which every process is a part. */
export const productVersion = '0.1.0';
