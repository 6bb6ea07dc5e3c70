/** What every screen that is loaded when it is opened is given. `names`: the parts of the address that its pattern holds. */
export type ScreenProps = { readonly names: readonly string[]; readonly isReadOnly: boolean };
