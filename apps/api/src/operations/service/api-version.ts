/** The version of the API's contract: the first number changes when clients may break. */
export const apiVersion = '2.0.0';
