/** The part of Node's WebAssembly API that is missing from the type packages in use without the DOM types. */
declare namespace WebAssembly {
  type Module = { readonly __module: never };
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Readonly<Record<string, object>>): Promise<Instance>;
}
