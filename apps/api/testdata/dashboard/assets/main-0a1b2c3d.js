export const plimsoll = "the dashboard";
